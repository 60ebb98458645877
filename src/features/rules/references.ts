import { findAccounts } from '../../storage/accounts.ts';
import { listCategories } from '../../storage/categories.ts';
import type { Db } from '../../storage/database.ts';
import { type OwnerId, parsePublicId } from '../../vocabulary/ids.ts';
import { leavesOf, type RuleBody } from '../../vocabulary/rules.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';

interface Reference {
  readonly id: string;
  readonly path: string;
}

/** Ids that a rule names, with their paths. */
interface References {
  readonly accounts: readonly Reference[];
  readonly categories: readonly Reference[];
  /** Categories that a rule sets, which must not be groups. */
  readonly set: readonly Reference[];
}

/**
 * Raises `resource_missing` at its path for the first account or category a rule names that is not the owner's, and
 * `parameter_invalid` for a group to which a rule would assign rows.
 */
export async function requireOwnReferences(
  db: Db,
  owner: OwnerId,
  rule: Partial<RuleBody>,
  at = '',
): Promise<void> {
  const { accounts, categories, set } = referencesOf(rule, at);
  await requireOwnAccounts(db, owner, accounts);
  if (categories.length + set.length === 0) return;
  const known = new Map((await listCategories(db, owner)).map((category) => [category.id, category]));
  const categoryAt = ({ id, path }: Reference) => {
    const row = parsePublicId('category', id);
    const category = row === null ? undefined : known.get(row);
    if (category === undefined) throw missing('category', path);
    return category;
  };
  for (const reference of categories) categoryAt(reference);
  for (const reference of set) {
    if (categoryAt(reference).parent === null) {
      throw invalidParameter(reference.path, `${reference.path} is a group; choose a category in it.`);
    }
  }
}

async function requireOwnAccounts(db: Db, owner: OwnerId, accounts: readonly Reference[]): Promise<void> {
  if (accounts.length === 0) return;
  const rows = accounts.map(({ id, path }) => ({ id: parsePublicId('account', id), path }));
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const own = new Set((await findAccounts(db, owner, [...new Set(ids)])).map((account) => account.id));
  for (const { id, path } of rows) if (id === null || !own.has(id)) throw missing('account', path);
}

function referencesOf(rule: Partial<RuleBody>, at: string): References {
  const leaves = leavesOf(rule.conditions ?? null, `${at}conditions`).flatMap(({ leaf, path }) => {
    if (leaf.value === null) return [];
    if (typeof leaf.value === 'string') return [{ field: leaf.field, id: leaf.value, path: `${path}.value` }];
    return leaf.value.map((id, place) => ({ field: leaf.field, id, path: `${path}.value[${place}]` }));
  });
  const set = (rule.actions ?? []).flatMap((action, place) =>
    action.type === 'set_category' && action.value !== null
      ? [{ id: action.value, path: `${at}actions[${place}].value` }]
      : [],
  );
  const named = (field: string) => leaves.filter((leaf) => leaf.field === field);
  return { accounts: named('account'), categories: named('category'), set };
}
