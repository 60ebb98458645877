import { V1_ENDPOINTS } from '../../src/operations/v1/endpoint-table.ts';
import type { Json, V2Client } from '../support/v2-client.ts';

/** A request to every endpoint of v1 that serves an account of the caller, for each of these accounts. */
export async function v1Paths(ask: V2Client, window = ''): Promise<string[]> {
  const categories = new Map<string, string>();
  for (const { id, category } of (await ask('GET', '/v1/connections')).body.data)
    categories.set(id, category);
  const accounts: readonly Json[] = (await ask('GET', '/v1/accounts')).body.data;
  return V1_ENDPOINTS.flatMap(({ path, query, planGate, tier }) => {
    const names = Object.keys(query.properties);
    if (!names.includes('accountIds') && !names.includes('accountId')) return [path];
    const served = accounts.filter((account) => {
      const category = categories.get(account.connectionId);
      return category === (planGate === 'brokerage_data' ? 'brokerage' : 'banking');
    });
    if (served.length === 0) return [];
    // Together, because not every provider has all of it.
    if (tier === 'mid') return [`${path}?accountIds=${served.map((account) => account.id).join(',')}`];
    return served.map(
      (account) => `${path}?connectionId=${account.connectionId}&accountId=${account.id}${window}`,
    );
  });
}
