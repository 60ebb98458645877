import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type {
  DestinationAccess,
  DestinationResource,
  DestinationResources,
  ResourceQuery,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { asUpstream, firstUnknown, orMissing, targetProblem } from '../kit/failures.ts';
import type { Budget } from './budget.ts';
import type { SyncServer } from './client.ts';
import { livingCategory, openAccounts, shownCategories } from './open-budget.ts';

/** How the server and one of its budgets are reached for a person who waits. */
export interface PersonsAccess {
  server(access: DestinationAccess): Promise<SyncServer>;
  /** Calls `work` with the budget, and then closes it. */
  withBudget<T>(
    access: DestinationAccess,
    budget: string,
    work: (budget: Budget) => T | Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
}

/** Budgets and, for a budget, its open accounts and visible categories. */
export function actualResources(persons: PersonsAccess): DestinationResources {
  return {
    list: async (access, query, signal) => {
      try {
        return (await asUpstream(() => listed(persons, access, query, signal), signal)).slice(0, query.limit);
      } catch (error) {
        const isUnknown = error instanceof UpstreamFailure && error.situation === 'bad_request';
        if (!isUnknown) throw error;
        throw new UpstreamFailure('bad_request', 'The sync server has no budget of that id.', {
          cause: error,
        });
      }
    },
  };
}

async function listed(
  persons: PersonsAccess,
  access: DestinationAccess,
  { type, parent }: ResourceQuery,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  const inBudget = (of: (budget: Budget) => readonly DestinationResource[]) =>
    persons.withBudget(access, parent ?? '', of, signal);
  switch (type) {
    case 'budget': {
      const budgets = await (await persons.server(access)).budgets(signal);
      return budgets.map(({ fileId, name }) => ({ id: fileId, name, url: null }));
    }
    case 'account':
      return inBudget((budget) => openAccounts(budget).map(({ id, name }) => ({ id, name, url: null })));
    case 'category':
      return inBudget((budget) =>
        shownCategories(budget).map(({ id, name, group }) => ({ id, name: `${group}: ${name}`, url: null })),
      );
    default:
      return [];
  }
}

/**
 * A budget, and in it open accounts and categories that are not deleted; hidden ones can be used anyway. The budget is
 * opened only to check what is in it.
 */
export async function checkBudget(
  persons: PersonsAccess,
  access: DestinationAccess,
  { target: { budget_id: id = '' }, places, categories }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  const server = await persons.server(access);
  if ((await orMissing(() => server.info(id, signal))) === null) {
    return targetProblem('budget_id', 'The sync server has no such budget: choose one that it lists.');
  }
  if (places.length + categories.length === 0) return null;
  return persons.withBudget(
    access,
    id,
    (budget) =>
      firstUnknown(
        'places',
        places,
        new Set(openAccounts(budget).map((account) => account.id)),
        'The budget has no such open account: choose one that it lists.',
      ) ??
      firstUnknown(
        'categories',
        categories,
        new Set(categories.filter((category) => livingCategory(budget, category) === category)),
        'The budget has no such category: choose one that it lists.',
      ),
    signal,
  );
}
