/**
 * Messages of the Postgres protocol, version 3, as far as a server needs to build or parse them:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

export interface Message {
  /** One letter; empty for the first message of a connection, which has none. */
  readonly type: string;
  /** The whole message. */
  readonly bytes: Buffer;
}

const LENGTH_BYTES = 4;
export const SSL_REQUEST = 80877103;
export const CANCEL_REQUEST = 80877102;

/** Splits what a client sends into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  /** Messages that are now complete. */
  read(chunk: Buffer): readonly Message[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const found: Message[] = [];
    for (;;) {
      const start = this.#isStarted ? 1 : 0;
      if (this.#rest.length < start + LENGTH_BYTES) return found;
      const end = start + this.#rest.readUInt32BE(start);
      if (this.#rest.length < end) return found;
      const bytes = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      const type = this.#isStarted ? bytes.toString('latin1', 0, 1) : '';
      if (!this.#isStarted) this.#isStarted = ![SSL_REQUEST, CANCEL_REQUEST].includes(codeOf(bytes));
      found.push({ type, bytes });
    }
  }
}

/** The request in the first message of a connection. */
export function codeOf(bytes: Buffer): number {
  return bytes.length < 2 * LENGTH_BYTES ? 0 : bytes.readUInt32BE(LENGTH_BYTES);
}

/** The text of a message that has one: a password, or the statement of a simple query. */
export function textIn(bytes: Buffer): string {
  return bytes.toString('utf8', 1 + LENGTH_BYTES, bytes.length - 1);
}

/** The statement of a Parse message, which follows the name. */
export function statementIn(bytes: Buffer): string {
  const start = bytes.indexOf(0, 1 + LENGTH_BYTES) + 1;
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}

function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(1 + LENGTH_BYTES);
  head.write(type, 'latin1');
  head.writeUInt32BE(LENGTH_BYTES + body.length, 1);
  return Buffer.concat([head, body]);
}

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const askPassword = (): Buffer => message('R', int(3));

export const signedIn = (): Buffer =>
  Buffer.concat([
    message('R', int(0)),
    message('S', 'server_version\0', '17.0\0'),
    message('S', 'client_encoding\0', 'UTF8\0'),
    message('S', 'standard_conforming_strings\0', 'on\0'),
    message('K', int(1), int(1)),
    ready(),
  ]);

export const ready = (): Buffer => message('Z', 'I');

export const failure = (state: string, text: string): Buffer =>
  message('E', 'SERROR\0', 'VERROR\0', `C${state}\0`, `M${text}\0`, '\0');

/** Whether the last of these messages says that no transaction is open. */
export function isIdle(answer: Uint8Array): boolean {
  return answer.at(-6) === 'Z'.charCodeAt(0) && answer.at(-1) === 'I'.charCodeAt(0);
}
