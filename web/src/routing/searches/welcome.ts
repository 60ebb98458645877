import type { Search } from './search.ts';

/** How linking or connecting ended that began on the welcome page. */
export interface WelcomeSearch {
  readonly link_session?: 'completed' | 'failed';
  readonly destination_link?: 'completed' | 'failed';
  readonly reason?: string;
}

export function welcomeSearch({
  link_session: bank,
  destination_link: destination,
  reason,
}: Search): WelcomeSearch {
  return {
    ...((bank === 'completed' || bank === 'failed') && { link_session: bank }),
    ...((destination === 'completed' || destination === 'failed') && { destination_link: destination }),
    ...(typeof reason === 'string' && { reason }),
  };
}
