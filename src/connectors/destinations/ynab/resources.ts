import type { Limits } from '../../../vocabulary/limits.ts';
import type {
  DestinationResource,
  DestinationResources,
  ResourceQuery,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { firstUnknown, targetProblem } from '../kit/failures.ts';
import type { VendorClient } from '../kit/vendor-client.ts';
import { YnabApi } from './client.ts';
import { ynabRead } from './failures.ts';

/** Plans and, for a plan, its open accounts and visible categories. */
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

/** A plan, and in it open accounts and categories that are not deleted; hidden ones can be used anyway. */
export async function checkPlan(
  api: YnabApi,
  { target: { budget_id: id = '' }, places, categories }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  // In one call: an alias such as `last-used` is not the id of a plan.
  const plan = (await api.plans(places.length > 0, signal)).find((one) => one.id === id);
  if (plan === undefined) {
    return targetProblem('budget_id', 'YNAB has no such plan: choose one that it lists.');
  }
  const open = (plan.accounts ?? []).filter(({ closed, deleted }) => !closed && !deleted);
  const misplaced = firstUnknown(
    'places',
    places,
    new Set(open.map((account) => account.id)),
    'The plan has no such open account: choose one that it lists.',
  );
  if (misplaced !== null || categories.length === 0) return misplaced;
  const groups = (await api.categories(id, signal)).filter(({ deleted }) => !deleted);
  const living = groups.flatMap((group) => group.categories.filter(({ deleted }) => !deleted));
  return firstUnknown(
    'categories',
    categories,
    new Set(living.map((category) => category.id)),
    'The plan has no such category: choose one that it lists.',
  );
}
