import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from './request-ids.ts';

/**
 * Long enough for the answer to arrive. Closed at once with bytes unread, the system would reset the connection first.
 */
const LINGER_MS = 1_000;

const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * Answers bytes that are not HTTP, headers past the parser's limit, and requests that take too long to arrive: there is
 * no request to answer, only a socket. It is destroyed soon after, also where the other side never closes its end.
 */
export function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const id = newRequestId();
  const body = JSON.stringify({
    error: {
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      message,
      param: null,
      doc_url: `${docsUrl}#parameter_invalid`,
      request_id: id,
    },
  });
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
