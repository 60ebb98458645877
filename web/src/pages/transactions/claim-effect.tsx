import type { Category, Transaction } from '#client';
import { CATEGORY_CHANGE } from '../../text/category-change.ts';
import { claimsOf } from './claims-of.ts';
import { recategorised } from './recategorised.ts';
import { Samples } from './samples.tsx';
import classes from './transaction-dialog.module.css';

interface ClaimEffectProps {
  readonly code: string;
  readonly category: Category;
  readonly categories: readonly Category[];
  readonly rows: readonly Transaction[];
}

/** What a claim will change of what is on the page, before it is made. */
export function ClaimEffect({ code, category, categories, rows }: ClaimEffectProps) {
  const holder = categories.find(({ sources }) => sources.includes(code));
  if (holder?.id === category.id) return <p className={classes.note}>{CATEGORY_CHANGE.claimed}</p>;
  const claims = new Map(claimsOf(categories)).set(code, category.id);
  const moved = rows.filter((row) => recategorised(row, code, claims) !== row);
  return (
    <div className={classes.preview} role="status">
      <p>{CATEGORY_CHANGE.claimEffect(moved.length, rows.length)}</p>
      <Samples rows={moved} />
      {holder === undefined ? null : (
        <p className={classes.note}>{CATEGORY_CHANGE.claimTakes(holder.name)}</p>
      )}
    </div>
  );
}
