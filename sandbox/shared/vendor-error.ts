/** Thrown by handlers and answered in the vendor's own form. */
export class VendorError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'VendorError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const badRequest = (code: string, message: string): VendorError => new VendorError(400, code, message);
export const unauthorized = (message: string): VendorError => new VendorError(401, 'unauthorized', message);
export const notFound = (code: string, message: string): VendorError => new VendorError(404, code, message);

/** A handler's error, as a vendor would answer it: anything unexpected is a 500. */
export function vendorErrorOf(error: unknown): VendorError {
  return error instanceof VendorError
    ? error
    : new VendorError(500, 'internal', 'the sandbox failed to answer');
}
