import { INTEGRATIONS, type Integration } from '../../src/app/integrations.ts';

/** The integrations of a service where `au_banking` is the only provider that is set up. */
export const ONE_PROVIDER: readonly Integration[] = INTEGRATIONS.filter(
  ({ row }) => row.kind === 'destination' || row.name === 'au_banking',
);
