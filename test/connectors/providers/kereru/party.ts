import type { Party } from '../../../../src/app/party.ts';
import type { ProviderParty } from '../../../../src/connectors/providers/provider-party.ts';
import { address } from '../../../../src/platform/party-settings.ts';
import { kereru } from './connector.ts';

/** Kereru as a bank and as a broker, at the address where its vendor runs. It needs no credentials. */
export function kereruParties(origin: string): readonly Party[] {
  const row = (as: 'bank' | 'broker'): ProviderParty => {
    const url = address(`KERERU_${as.toUpperCase()}_URL`, origin, 'Where Kereru is reached.');
    return {
      kind: 'provider',
      name: as === 'bank' ? 'nz_banking' : 'brokerage',
      variables: [url],
      open: async (values, { http }) => kereru(as, values.get(url), http),
    };
  };
  return [
    { row: row('bank'), simulator: null },
    { row: row('broker'), simulator: null },
  ];
}
