import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { hasPlainHost } from '../../vocabulary/plain-hosts.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Private-use schemes of editors and assistants that have no dot. Any other must be a reversed domain name (RFC 8252,
 * section 7.1): browsers and operating systems handle schemes without a dot themselves, and there is no complete list.
 */
const EDITORS: ReadonlySet<string> = new Set([
  'claude:',
  'cursor:',
  'goose:',
  'kiro:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
]);

/** Printable characters, without wildcards and those that browsers interpret as others. */
const PLAIN = /^[\x21-\x7e]+$/;
const AMBIGUOUS = /[\\*<>"`{}|^]/;
/** `.` and `..` between slashes, however they are written. */
const STEPS = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Why a client must not have people sent there; null if it may. Matching itself is exact. */
export function redirectObjection(uri: string): string | null {
  if (uri.length > FIXED_LIMITS.url_characters)
    return `must have at most ${FIXED_LIMITS.url_characters} characters`;
  if (!PLAIN.test(uri) || AMBIGUOUS.test(uri))
    return 'must hold no spaces, wildcards, backslashes or characters of that kind';
  const url = URL.parse(uri);
  if (url === null) return 'must be an absolute URI';
  if (uri.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@')) {
    return 'must have no user name';
  }
  if (!hasPlainHost(url)) return 'must have a DNS name or an IP address as its host';
  if (STEPS.test(pathOf(uri))) return 'must have no "." or ".." in its path';
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? null : 'must use https, unless it is on the loopback interface';
  }
  if (url.protocol === 'https:') {
    return LOOPBACK.has(url.hostname) ? 'must use http on the loopback interface' : null;
  }
  if (EDITORS.has(url.protocol) || url.protocol.includes('.')) return null;
  return `must not use the scheme ${url.protocol}, but one with a dot, such as com.example.app:`;
}

/** Where a person ends up: what the consent page and the list of connected apps show for an address. */
export interface RedirectPlace {
  /** A host, or the scheme of an app of the machine, such as `cursor:`. */
  readonly shown: string;
  readonly kind: 'web' | 'loopback' | 'app';
}

export function redirectPlace(uri: string): RedirectPlace {
  const url = new URL(uri);
  if (url.protocol === 'https:') return { shown: url.host, kind: 'web' };
  if (url.protocol === 'http:') return { shown: url.hostname, kind: 'loopback' };
  return { shown: url.protocol, kind: 'app' };
}

function authorityOf(uri: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
}

function pathOf(uri: string): string {
  return uri.replace(/^[^:]*:(\/\/[^/?#]*)?/, '').replace(/[?#].*$/, '');
}
