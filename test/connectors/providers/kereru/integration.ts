import type { Integration } from '../../../../src/app/integrations.ts';
import type { ProviderIntegration } from '../../../../src/connectors/providers/provider-integration.ts';
import { address } from '../../../../src/platform/integration-settings.ts';
import { kereru } from './connector.ts';

/** Kereru as a bank and as a broker, at the address where its vendor runs. It needs no credentials. */
export function kereruIntegrations(origin: string): readonly Integration[] {
  const row = (as: 'bank' | 'broker'): ProviderIntegration => {
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
