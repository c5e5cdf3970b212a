/** Where an account is, and its key. */
export interface Account {
  readonly endpoint: string;
  readonly key: string;
}

/** An account in the form in which the portal shows it: `AccountEndpoint=https://…;AccountKey=…;`. */
export function accountOf(connectionString: string): Account {
  const endpoint = /AccountEndpoint=([^;]+)/i.exec(connectionString)?.[1];
  const key = /AccountKey=([^;]+)/i.exec(connectionString)?.[1];
  if (endpoint === undefined || key === undefined)
    throw new Error('VERNAL_COSMOS_DB_URL must be AccountEndpoint=https://…;AccountKey=…;');
  return { endpoint, key };
}

let made = 0;
const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;

/** The name of a container that nobody has. */
export function containerName(): string {
  return `t${run}-${++made}`;
}
