import { hash } from 'node:crypto';
import { type EnteredProblem, MOST_ENTERED_CHARACTERS } from '../../../vocabulary/entered-values.ts';

/** Base64 in either alphabet; people copy line breaks along, which are removed first. */
const TOKEN = /^[A-Za-z0-9+/_-]{16,}={0,2}$/;
const DIGITS = 32;

/** Which addresses may be called. */
export interface AddressRules {
  /** The bridge that the operator configured, with its path. */
  readonly bridge: URL;
  /** Hosts of this service, in the form of `URL.host`. */
  readonly ownHosts: ReadonlySet<string>;
}

/** Where a token is claimed, or why it cannot be. */
export type ClaimAddress =
  | { readonly url: URL; readonly problem: null }
  | { readonly url: null; readonly problem: EnteredProblem };

/**
 * The claim address in a setup token: Base64 of `<root>/claim/<token>` (SimpleFIN protocol, "Get an Access URL"). A
 * person may use any server with a public https address, because servers of one's own exist. Calls to it pass the
 * address guard, unlike those to the bridge that the operator configured.
 */
export function claimAddress(token: string, rules: AddressRules): ClaimAddress {
  const text = token.replaceAll(/\s/g, '');
  if (text.length > MOST_ENTERED_CHARACTERS || !TOKEN.test(text)) return refused('unreadable');
  const decoded = Buffer.from(text, 'base64').toString('utf8').trim();
  const url = /^https?:\/\/[!-~]+$/.test(decoded) ? URL.parse(decoded) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.pathname === '/')
    return refused('unreadable');
  const problem = problemOf(url, rules);
  return problem === null ? { url, problem } : refused(problem);
}

function refused(problem: EnteredProblem): ClaimAddress {
  return { url: null, problem };
}

function problemOf(url: URL, { bridge, ownHosts }: AddressRules): EnteredProblem | null {
  if (ownHosts.has(url.host)) return 'own';
  return url.protocol === 'https:' || isBelow(url, bridge) ? null : 'insecure';
}

/** Whether an address is the configured bridge's: only there is the guard not needed. */
export function isBelow(url: URL, bridge: URL): boolean {
  const path = bridge.pathname.replace(/\/*$/, '');
  return url.origin === bridge.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`));
}

/** What an access URL gives: where accounts are read, and the credentials of it. */
export interface Access {
  /** Without credentials. A path follows it with a slash. */
  readonly root: string;
  /** Of the root: part of every id, so that no server can name the accounts of another. */
  readonly host: string;
  readonly authorization: string;
  /** Identifies the access without revealing it. */
  readonly digest: string;
}

/** Reads an access URL, `https://<user>:<password>@<root>`. The problem with it if it cannot be used. */
export function accessOf(accessUrl: string, rules: AddressRules): Access | EnteredProblem {
  const url = accessUrl.length <= MOST_ENTERED_CHARACTERS ? URL.parse(accessUrl.trim()) : null;
  if (url === null || url.username === '' || url.password === '') return 'unreadable';
  const problem = problemOf(url, rules);
  if (problem !== null) return problem;
  const [user, password] = [decodedPart(url.username), decodedPart(url.password)];
  if (user === null || password === null) return 'unreadable';
  return {
    root: `${url.origin}${url.pathname.replace(/\/*$/, '')}`,
    host: url.host,
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    digest: digestOf('access', url.host, url.pathname, user, password),
  };
}

function decodedPart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A digest of some texts, in hexadecimal digits. */
export function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, DIGITS);
}
