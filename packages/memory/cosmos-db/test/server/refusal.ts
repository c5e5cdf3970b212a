/** An answer that is no success. Source: https://learn.microsoft.com/rest/api/cosmos-db/http-status-codes-for-cosmosdb */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
