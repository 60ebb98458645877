import { isIP } from 'node:net';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** How a connection is encrypted (docs/destination-services.md#postgres). */
const SSL_MODES = ['verify-full', 'require', 'disable'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Where a database is and how to sign in there. */
export interface Credentials {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
}

const DEFAULT_PORT = 5432;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/i;
const FORM = 'The secret must look like postgres://user:password@host:5432/database?sslmode=verify-full.';

/** The content of a secret, or what is wrong with it: a sentence that repeats nothing of it. */
export function parseSecret(text: string): Credentials | { readonly problem: string } {
  const url = URL.parse(text.trim());
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) return { problem: FORM };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0 && !HOST_NAME.test(host)) return { problem: `${FORM} It names no host.` };
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(decoded);
  if (user === undefined || password === undefined || database === undefined) {
    return { problem: `${FORM} A percent sign in it must be written as %25.` };
  }
  if (user === '' || database === '') return { problem: `${FORM} It names no user or no database.` };
  // In the startup message, NUL ends a value: what follows would be a separate parameter.
  if ([user, password, database].some((text) => text.includes('\0'))) {
    return { problem: `${FORM} It has a character that no name and no password has.` };
  }
  if (url.port === '0') return { problem: `${FORM} There is no port 0.` };
  const modes = url.searchParams.getAll('sslmode');
  if ([...url.searchParams.keys()].some((key) => key !== 'sslmode') || modes.length > 1) {
    return { problem: 'Nothing but one sslmode may follow the question mark of the secret.' };
  }
  const sslMode = SSL_MODES.find((mode) => mode === (modes[0] ?? 'verify-full'));
  if (sslMode === undefined) return { problem: `sslmode must be one of ${SSL_MODES.join(', ')}.` };
  return { host, port: url.port === '' ? DEFAULT_PORT : Number(url.port), user, password, database, sslMode };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const VERSION = 1;
const Grant = Type.Object({ v: Type.Literal(VERSION), secret: Type.String() });

/** What is stored of an accepted secret. */
export function grantOf(secret: string): string {
  return JSON.stringify({ v: VERSION, secret: secret.trim() });
}

/** @throws TypeError for a grant that is not from `grantOf`; it does not repeat it */
export function credentialsOf(grant: string): Credentials {
  const value: unknown = JSON.parse(grant);
  if (!Value.Check(Grant, value)) throw new TypeError('the grant of a database has an unknown form');
  const parsed = parseSecret(value.secret);
  if ('problem' in parsed) throw new TypeError('the grant of a database cannot be read');
  return parsed;
}
