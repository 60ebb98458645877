/** Where the service is reached. */
interface Addresses {
  readonly publicUrl: string;
  readonly appUrl: string;
  readonly mcpUrl: string;
}

/** One year, without includeSubDomains, because hosts below ours may not be ours (RFC 6797, section 6.1). */
export const STRICT_TRANSPORT = ['strict-transport-security', 'max-age=31536000'] as const;

/** Browsers would refuse plain http to all of its ports, and so to every other program on the person's machine. */
const OWN_MACHINE = /(?:^|\.)localhost\.?$/;

/**
 * Whether browsers are to use only https for this service. False if one of its hosts is also reached over http, because
 * the header applies to all ports of a host.
 */
export function requiresHttps({ publicUrl, appUrl, mcpUrl }: Addresses): boolean {
  const urls = [publicUrl, appUrl, mcpUrl].map((address) => new URL(address));
  const hostsOver = (protocol: 'http:' | 'https:'): Set<string> =>
    new Set(urls.filter((url) => url.protocol === protocol).map(({ hostname }) => hostname));
  const secure = hostsOver('https:');
  return (
    secure.size > 0 &&
    secure.isDisjointFrom(hostsOver('http:')) &&
    [...secure].every((host) => !OWN_MACHINE.test(host))
  );
}
