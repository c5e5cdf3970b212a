export function postgresIsReady(port: number, host?: string): Promise<boolean>;
export function redisIsReady(port: number, host?: string): Promise<boolean>;
export function mariadbIsReady(port: number, host?: string): Promise<boolean>;
export function mongoIsReady(port: number, host?: string): Promise<boolean>;
export function neo4jIsReady(port: number, host?: string): Promise<boolean>;
export function cassandraIsReady(port: number, host?: string): Promise<boolean>;
