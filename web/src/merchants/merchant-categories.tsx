import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { codeLabel } from '../../../src/vocabulary/provider-categories.ts';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { MERCHANTS } from '../text/merchants.ts';
import { ChangeCategory, type RuleStart } from '../transactions/change-category.tsx';
import type { TransactionRows } from '../transactions/use-transaction-rows.ts';
import classes from './merchants.module.css';

interface CategoriesProps {
  readonly name: string;
  /** Of the merchant. */
  readonly rows: readonly Transaction[];
  /** All that were read, in which similar ones are found. */
  readonly read: TransactionRows;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
}

/** What the rows are in, and a way to change it for all of them. */
export function MerchantCategories({ name, rows, read, accounts, categories: tree }: CategoriesProps) {
  const [changing, setChanging] = useState<RuleStart | 'all' | null>(null);
  const chips = [...new Set(rows.map((row) => categoryName(row, tree)))];
  return (
    <Card title={MERCHANTS.categories}>
      <div className={classes.categories}>
        {chips.map((chip) => (
          <StatusBadge key={chip} tone="idle">
            {chip}
          </StatusBadge>
        ))}
        <OwnerOnly scope="categories:write">
          <Button size="xs" variant="default" onClick={() => setChanging('all')}>
            {MERCHANTS.change}
          </Button>
        </OwnerOnly>
      </div>
      {changing === null ? null : (
        <Dialog title={MERCHANTS.changeOf(name)} onClose={() => setChanging(null)}>
          <ChangeCategory
            key={changing === 'all' ? 'all' : changing.row.id}
            chosen={rows}
            {...(changing !== 'all' && { start: changing })}
            rows={read.rows ?? rows}
            accounts={accounts}
            categories={tree}
            onRule={setChanging}
            onChanged={() => setChanging(null)}
            onClose={() => setChanging(null)}
          />
        </Dialog>
      )}
    </Card>
  );
}

function categoryName({ category, provider_category: code }: Transaction, tree: readonly Category[]): string {
  const own = tree.find(({ id }) => id === category);
  if (own !== undefined) return own.name;
  return code === null ? MERCHANTS.noCategory : codeLabel(code);
}
