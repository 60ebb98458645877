import { PROVIDERS } from '../../../src/vocabulary/providers.ts';
import { ask } from './client.ts';
import type { LinkSession } from './connections.ts';
import type { Institution } from './institutions.ts';

/** Starts linking; the person goes on at the `url` of the answer. */
export function createLinkSession(
  { provider, id }: Pick<Institution, 'provider' | 'id'>,
  returnUrl: string,
): Promise<LinkSession> {
  // Where the provider's own page asks for the bank, naming one is refused.
  const institution = PROVIDERS[provider].linksInstitution ? id : null;
  return ask({
    method: 'POST',
    path: 'link_sessions',
    body: { provider, institution, return_url: returnUrl },
  });
}
