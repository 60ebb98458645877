/** How a person gets into their sync server of Actual. */
export interface ServerAccess {
  readonly server: string;
  readonly word: string;
  /** The word is a session token instead of a password. */
  readonly isToken: boolean;
  /** Empty if the budget is not encrypted. */
  readonly encryptionPassword: string;
}

/**
 * The secret that v2 takes for an Actual server (docs/destination-services.md#actual-budget); null if `server` is no
 * address.
 */
export function actualSecret({ server, word, isToken, encryptionPassword }: ServerAccess): string | null {
  const url = URL.parse(server.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  url.search = '';
  url.hash = '';
  url.username = isToken ? 'token' : '';
  // The URL itself leaves a percent sign as it is.
  url.password = encodeURIComponent(word);
  if (encryptionPassword !== '') url.searchParams.set('encryption_password', encryptionPassword);
  return url.href;
}
