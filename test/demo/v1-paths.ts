import type { V2Client } from '../../src/cli/demo/v2-client.ts';
import { V1_ENDPOINTS } from '../../src/operations/v1/endpoint-table.ts';

/** A request to every endpoint of v1 that serves an account of the caller, for each of these accounts. */
export async function v1Paths(client: V2Client, window = ''): Promise<string[]> {
  const categories = new Map<string, string>();
  for (const one of (await client.get('/v1/connections')).items('data')) {
    categories.set(one.text('id'), one.text('category'));
  }
  const accounts = (await client.get('/v1/accounts')).items('data');
  return V1_ENDPOINTS.flatMap(({ path, query, planGate, tier }) => {
    const names = Object.keys(query.properties);
    if (!names.includes('accountIds') && !names.includes('accountId')) return [path];
    const served = accounts.filter((account) => {
      const category = categories.get(account.text('connectionId'));
      return category === (planGate === 'brokerage_data' ? 'brokerage' : 'banking');
    });
    if (served.length === 0) return [];
    // Together, because not every provider has all of it.
    if (tier === 'mid')
      return [`${path}?accountIds=${served.map((account) => account.text('id')).join(',')}`];
    return served.map(
      (account) =>
        `${path}?connectionId=${account.text('connectionId')}&accountId=${account.text('id')}${window}`,
    );
  });
}
