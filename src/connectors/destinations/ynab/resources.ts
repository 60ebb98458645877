import type { Limits } from '../../../vocabulary/limits.ts';
import type { DestinationResource, DestinationResources, ResourceQuery } from '../destination-contract.ts';
import type { VendorClient } from '../kit/vendor-client.ts';
import { ynabRead } from './read-failures.ts';
import { YnabApi } from './ynab-api.ts';

/** Plans, and of a plan its open accounts and the categories that people see. */
export function ynabResources(client: VendorClient, limits: Limits): DestinationResources {
  return {
    list: async (access, query, signal) => {
      const api = new YnabApi(client, access, limits, 'as a person');
      return (await ynabRead(() => listed(api, query, signal), signal)).slice(0, query.limit);
    },
  };
}

async function listed(
  api: YnabApi,
  { type, parent }: ResourceQuery,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  const plan = parent ?? '';
  switch (type) {
    case 'budget':
      return (await api.plans(false, signal)).map(named);
    case 'account':
      return (await api.accounts(plan, signal))
        .filter(({ closed, deleted }) => !closed && !deleted)
        .map(named);
    case 'category':
      return (await api.categories(plan, signal))
        .filter(isShown)
        .flatMap((group) =>
          group.categories
            .filter(isShown)
            .map(({ id, name }) => ({ id, name: `${group.name}: ${name}`, url: null })),
        );
    default:
      return [];
  }
}

const named = ({ id, name }: { readonly id: string; readonly name: string }): DestinationResource => ({
  id,
  name,
  url: null,
});

/** Internal ones are YNAB's own, such as the one for income. */
function isShown(one: { readonly hidden: boolean; readonly deleted: boolean; readonly internal?: boolean }) {
  return !one.hidden && !one.deleted && one.internal !== true;
}
