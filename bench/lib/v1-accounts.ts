import type { Tributary } from '#client';

export interface V1Account {
  readonly id: string;
  readonly connectionId: string;
  readonly provider: string;
}

/** The accounts that v1 lists, by its own ids. */
export async function v1Accounts(client: Tributary): Promise<readonly V1Account[]> {
  const response = await client.exchange({ method: 'GET', path: '/v1/accounts?limit=200' });
  const { data }: { readonly data: readonly V1Account[] } = JSON.parse(await response.text());
  return data;
}
