import type { Search } from './search.ts';

/** How connecting a destination ended, as the service says when it sends the person back. */
export interface DestinationReturn {
  readonly destination_link?: 'completed' | 'failed';
  readonly reason?: string;
}

export function destinationReturn({ destination_link: outcome, reason }: Search): DestinationReturn {
  if (outcome === 'completed') return { destination_link: outcome };
  if (outcome !== 'failed') return {};
  return { destination_link: outcome, ...(typeof reason === 'string' && { reason }) };
}
