/** An engine that is up, and how to end it. */
export interface Service {
  readonly url: string;
  /** 'environment', 'docker' or 'local'. */
  readonly how: string;
  readonly version?: string;
  readonly pid?: number;
  readonly container?: string;
  /** Its data; removed by `down`. */
  readonly folder?: string;
}

export function readState(): Record<string, Service>;
/** Of one engine; undefined forgets it. */
export function writeState(name: string, service: Service | undefined): void;
