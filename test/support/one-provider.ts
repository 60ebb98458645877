import { PARTIES } from '../../src/app/parties.ts';
import type { Party } from '../../src/app/party.ts';

/** The parties of a service where `au_banking` is the only provider that is set up. */
export const ONE_PROVIDER: readonly Party[] = PARTIES.filter(
  ({ row }) => row.kind === 'destination' || row.name === 'au_banking',
);
