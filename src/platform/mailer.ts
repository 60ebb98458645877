import { createTransport, type Transporter } from 'nodemailer';
import type { SmtpServer } from './config-values.ts';
import { withTimeout } from './with-timeout.ts';

const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
const DEADLINE_MS = 30_000;
/** How many mails may wait for the server, so that a slow one does not fill our memory. */
const MOST_WAITING = 100;

/** A mail of this service to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Beside those of every mail. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Raised by `send` when too many mails wait for the server. */
export class MailQueueFull extends Error {
  override readonly name = 'MailQueueFull';
}

/**
 * Raised by `send` when the server read a mail and then refused it. Its answer is left out, because it may quote the
 * mail, and errors are logged.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** A code of RFC 5321; null if the server gave none. */
  readonly responseCode: number | null;

  constructor(responseCode: number | null) {
    super(`the mail server refused a mail${responseCode === null ? '' : ` with ${responseCode}`}`);
    this.responseCode = responseCode;
  }
}

/**
 * Sends mail through the operator's server and connects to no other. Nothing is retried: people can ask for a mail
 * again, and a mail server that accepted one retries on its own.
 */
export class Mailer {
  readonly #transport: Transporter;
  readonly #from: string;
  #waiting = 0;

  constructor(server: SmtpServer, from: string) {
    const { host, port, secure, auth, requireTls } = server;
    this.#from = from;
    this.#transport = createTransport({
      host,
      port,
      secure,
      requireTLS: requireTls,
      ...(auth !== null && { auth }),
      pool: true,
      maxConnections: 2,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Raises the server's error, MailRefused, MailQueueFull, or a timeout after 30 seconds. */
  async send({ to, subject, text, headers = {} }: Mail): Promise<void> {
    if (this.#waiting >= MOST_WAITING) throw new MailQueueFull('too many mails wait for the mail server');
    this.#waiting += 1;
    try {
      const mail = { from: this.#from, to: { name: '', address: to }, subject, text, headers };
      await withTimeout(this.#transport.sendMail(mail), DEADLINE_MS);
    } catch (error) {
      throw wasRead(error) ? new MailRefused(responseCodeOf(error)) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Connects to the server and signs in, without sending anything. Raises the error if that fails. */
  async verify(): Promise<void> {
    await withTimeout(this.#transport.verify(), DEADLINE_MS);
  }

  close(): void {
    this.#transport.close();
  }
}

/** What nodemailer calls a wait that ended before a session began, in which a mail could have been sent. */
const BEFORE_A_SESSION: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

/**
 * Whether a mail that `send` failed with is certain not to have been taken, for a reason that may pass: the queue was
 * full, the server was not reached, or it said so (RFC 5321, section 4.2.1). A connection that broke later may have
 * broken after the server took the mail.
 */
export function mayMailAgain(error: unknown): boolean {
  if (error instanceof MailQueueFull) return true;
  const code = responseCodeOf(error);
  if (code !== null) return code >= 400 && code < 500;
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  if ('timeoutType' in error && BEFORE_A_SESSION.has(error.timeoutType)) return true;
  return 'code' in error && error.code === 'EDNS';
}

function responseCodeOf(error: unknown): number | null {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null;
}

/** Whether the server answered the text of the mail. */
function wasRead(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMESSAGE';
}
