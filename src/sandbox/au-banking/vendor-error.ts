import { randomBytes } from 'node:crypto';
import { type Reply, reply } from './reply.ts';

/** The two error bodies of the vendor: a framework error at the front door, a short one on data. */
export type ErrorBody = 'front-door' | 'data';

/** Thrown by handlers; the server turns it into the vendor's answer. */
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

  toReply(body: ErrorBody): Reply {
    const id = randomBytes(6).toString('base64url');
    const short = { id, name: this.code, message: this.message };
    const full = {
      name: this.code,
      id,
      message: this.message,
      temporary: this.status === 503 || this.status === 429,
      timeout: this.status === 504,
      fault: this.status >= 500,
    };
    return reply(this.status, JSON.stringify(body === 'data' ? short : full), this.headers);
  }
}

export const badRequest = (code: string, message: string): VendorError => new VendorError(400, code, message);
export const unauthorized = (message: string): VendorError => new VendorError(401, 'unauthorized', message);
export const notFound = (code: string, message: string): VendorError => new VendorError(404, code, message);
