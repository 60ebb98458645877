import type { Selectable } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { CategoryClaimsTable } from './category-tables.ts';
import type { Trx } from './database.ts';

type Owner = RowId<'account_record'>;
type Id = RowId<'category'>;
export type CategoryClaim = Selectable<CategoryClaimsTable>;

/** New claims; a code that is claimed already goes over to the new claimant. */
export async function putClaims(trx: Trx, claims: readonly CategoryClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await trx
    .insertInto('category_claims')
    .values([...claims])
    .onConflict((conflict) =>
      conflict
        .columns(['account_record', 'code'])
        .doUpdateSet((row) => ({ category: row.ref('excluded.category') })),
    )
    .execute();
}

/** Releases every claim of the category. */
export async function releaseClaims(trx: Trx, owner: Owner, id: Id): Promise<void> {
  await trx
    .deleteFrom('category_claims')
    .where('account_record', '=', owner)
    .where('category', '=', id)
    .execute();
}

/** Every claim of the categories goes over to another. */
export async function moveClaims(trx: Trx, owner: Owner, from: readonly Id[], to: Id): Promise<void> {
  if (from.length === 0) return;
  await trx
    .updateTable('category_claims')
    .set({ category: to })
    .where('account_record', '=', owner)
    .where('category', 'in', from)
    .execute();
}
