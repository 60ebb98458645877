import { isIP } from 'node:net';

/** Who browsers say a passkey is for (WebAuthn Level 3, section 5.1.2). */
export interface RelyingParty {
  /** The host of the web application: a passkey works there and nowhere else. */
  readonly id: string;
  readonly origin: string;
}

/** Null where browsers offer no passkeys: at an address instead of a name, and over http to another machine. */
export function relyingParty(appUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(appUrl);
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return null;
  const secure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return secure ? { id: hostname, origin } : null;
}
