/** Why a request is not answered as JSON-RPC of MCP, with the HTTP status that says so too. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}
