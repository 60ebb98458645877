import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { type ExchangeRate, parseExchangeRate } from '../vocabulary/exchange-rates.ts';
import { parseCidr } from './network-addresses.ts';

/** One environment variable: how it is parsed, and what docs/configuration.md says about it. */
export type Variable<T> = {
  readonly parse: Parser<T>;
  /** The default, or null when there is none; `shownDefault` then says what happens. */
  readonly default: string | null;
  readonly shownDefault?: string;
  readonly form: string;
  readonly purpose: string;
};

/** The value of a variable's text, or why it cannot be used; the problem never repeats the text of a secret. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Reads the text of one variable. */
export type Parser<T> = (text: string) => Parsed<T>;

/** A whole number within bounds. */
export function integer(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { problem: `must be a whole number from ${min} to ${max}` };
  };
}

/** A port to listen on; null for `off`. */
export const portOrOff: Parser<number | null> = (text) =>
  text === 'off' ? { value: null } : integer(0, 65_535)(text);

/** One of the words given. */
export function oneOf<const Word extends string>(words: readonly Word[]): Parser<Word> {
  return (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { problem: `must be one of ${words.join(', ')}` } : { value };
  };
}

/** One or more of the words given, separated by commas. */
export function someOf<const Word extends string>(words: readonly Word[]): Parser<readonly Word[]> {
  return (text) => {
    const chosen = listOf(text);
    const value = words.filter((word) => chosen.includes(word));
    return chosen.length > 0 && chosen.every((word) => words.some((known) => known === word))
      ? { value }
      : { problem: `must be one or more of ${words.join(', ')}, separated by commas` };
  };
}

/** Words that match a pattern, separated by commas; for a vendor's ids. */
export function commaList(form: RegExp, what: string): Parser<readonly string[]> {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    return words.every((word) => form.test(word)) ? { value: words } : { problem: `must list ${what}` };
  };
}

/** Any text; for names of directories, client ids and client secrets. */
export const anyText: Parser<string> = (text) => ({ value: text });

/** A path that does not depend on the working directory. */
export const absolutePath: Parser<string> = (text) =>
  isAbsolute(text) && !text.includes('\0') ? { value: text } : { problem: 'must be an absolute path' };

/** A shorter passphrase can be guessed by anyone who has the file. */
export const PASSPHRASE_CHARACTERS = 12;

/** What a file is encrypted with. */
export const passphrase: Parser<string> = (text) =>
  text.length >= PASSPHRASE_CHARACTERS
    ? { value: text }
    : { problem: `must have at least ${PASSPHRASE_CHARACTERS} characters` };

/** A secret of bytes, in base64. */
export const base64Secret: Parser<string> = (text) =>
  /^[A-Za-z0-9+/]{2,}={0,2}$/.test(text) && Buffer.from(text, 'base64').length > 0
    ? { value: text }
    : { problem: 'must be base64' };

/** A host name or an address to listen on, without brackets. */
export const listenHost: Parser<string> = (text) =>
  isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)
    ? { value: text }
    : { problem: 'must be an IP address or a host name, without scheme, port or brackets' };

/** An http or https address without credentials, query or fragment; a trailing slash is dropped. */
export const baseUrl: Parser<string> = (text) => {
  const url = URL.parse(text);
  const usable =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(text);
  return usable
    ? { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') }
    : { problem: 'must be an http:// or https:// address without credentials, query or fragment' };
};

/** A vendor's base URL: https, or http on this machine, since the credentials are sent there. */
export const vendorUrl: Parser<string> = (text) => {
  const parsed = baseUrl(text);
  if ('problem' in parsed) return parsed;
  const { protocol, hostname } = new URL(parsed.value);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
    ? parsed
    : { problem: 'must be an https:// address; plain http is for this machine only' };
};

/** A connection string, which may hold a password. */
export function connectionUrl(schemes: readonly string[]): Parser<string> {
  return (text) => {
    const scheme = URL.parse(text)?.protocol.slice(0, -1);
    return scheme !== undefined && schemes.includes(scheme)
      ? { value: text }
      : { problem: `must be a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}` };
  };
}

/** `true` or `false`, in any case. */
export const trueOrFalse: Parser<boolean> = (text) => {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false'
    ? { value: word === 'true' }
    : { problem: 'must be true or false' };
};

/** A share of a whole, as a decimal number. */
export const share: Parser<number> = (text) =>
  /^(0|1|0?\.\d{1,9}|[01]\.\d{1,9})$/.test(text) && Number(text) <= 1
    ? { value: Number(text) }
    : { problem: 'must be a number from 0 to 1, such as 0.01' };

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,4000}$/;
/** Those that the request itself determines. */
const OWN_HEADERS =
  /^(content-(type|length|encoding)|transfer-encoding|host|connection|accept|traceparent)$/i;

/** Request headers as `name=value`, separated by commas, with values that may be percent-encoded. */
export const headerList: Parser<Readonly<Record<string, string>>> = (text) => {
  const problem =
    'must be a list of headers such as api-key=SECRET, separated by commas, with values that are percent-encoded';
  const value: Record<string, string> = {};
  for (const entry of listOf(text)) {
    const at = entry.indexOf('=');
    const name = entry.slice(0, at).trim();
    const decoded = at < 1 || OWN_HEADERS.test(name) ? null : decodedText(entry.slice(at + 1).trim());
    if (decoded === null || !HEADER_NAME.test(name) || !HEADER_VALUE.test(decoded)) return { problem };
    value[name.toLowerCase()] = decoded;
  }
  return Object.keys(value).length > 0 ? { value } : { problem };
};

function decodedText(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Networks in CIDR notation, separated by commas; a bare address is a network of one. */
export const cidrList: Parser<readonly string[]> = (text) => {
  const value = listOf(text);
  return value.length > 0 && value.every((entry) => parseCidr(entry) !== null)
    ? { value }
    : { problem: 'must be a list of networks such as 192.168.1.0/24, separated by commas' };
};

/** DNS servers, each an address with or without a port. */
export const serverList: Parser<readonly string[]> = (text) => {
  const value = listOf(text);
  return value.length > 0 && value.every(isServer)
    ? { value }
    : { problem: 'must be a list of addresses such as 192.168.1.1 or [fd00::1]:5353, separated by commas' };
};

function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(v6 ?? v4 ?? '') === (v6 === undefined ? 4 : 6) && Number(port) > 0 && Number(port) < 65_536;
}

/** Which proxies in front to trust: none, a number of hops, or those in given networks. */
export const trustProxy: Parser<false | number | readonly string[]> = (text) => {
  if (text === 'false' || text === '0') return { value: false };
  const hops = integer(1, 16)(text);
  if ('value' in hops) return hops;
  const networks = cidrList(text);
  if ('value' in networks) return networks;
  return {
    problem:
      'must be false, the number of proxies in front (1 to 16), or a list of their networks; ' +
      'trusting every proxy would let callers choose their own address',
  };
};

/** Exchange rates, each pair of currencies once, in one direction. */
export const exchangeRates: Parser<readonly ExchangeRate[]> = (text) => {
  const parsed = listOf(text).map(parseExchangeRate);
  const value = parsed.filter((rate) => rate !== null);
  if (value.length === 0 || value.length < parsed.length) {
    return { problem: 'must be a list of rates such as EUR:AUD=1.65, separated by commas' };
  }
  const pairs = new Set(value.map(({ from, to }) => [from, to].toSorted().join(' ')));
  return pairs.size === value.length
    ? { value }
    : { problem: 'must name each pair of currencies once; the other direction follows from it' };
};

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A mail server as `SMTP_URL` names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without it STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** A password is never sent in the clear, except on this machine. */
  readonly requireTls: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** The server of `smtp://` or `smtps://[user:password@]host[:port]`; null for every other text. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  const port = url === null ? undefined : PORTS[url.protocol];
  if (url === null || port === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname)) return null;
  if (url.search !== '' || url.hash !== '') return null;
  const auth = credentials(url);
  if (auth === undefined) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth,
    requireTls: auth !== null && url.protocol === 'smtp:' && !LOOPBACK.test(url.hostname),
  };
}

/** Undefined if an escape is malformed or one of the two is missing. */
function credentials({ username, password }: URL): SmtpServer['auth'] | undefined {
  if (username === '' && password === '') return null;
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    return user === '' || pass === '' ? undefined : { user, pass };
  } catch {
    return undefined;
  }
}
