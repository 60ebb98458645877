import type { Search } from './search.ts';

/** How linking ended, as the service says when it sends the person back (docs/resources.md#link-session). */
export interface ConnectionsSearch {
  readonly link_session?: 'completed' | 'failed';
  readonly reason?: string;
}

export function connectionsSearch({ link_session: outcome, reason }: Search): ConnectionsSearch {
  if (outcome === 'completed') return { link_session: outcome };
  if (outcome !== 'failed') return {};
  return { link_session: outcome, ...(typeof reason === 'string' && { reason }) };
}
