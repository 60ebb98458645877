import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { codeLabel } from '../../../src/vocabulary/provider-categories.ts';
import { me } from '../api/me.ts';
import { merchantOf } from '../api/merchants.ts';
import { accountLabel } from '../format/account-names.ts';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Facts } from '../parts/card.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { PROBLEMS } from '../text/problems.ts';
import { TRANSACTION } from '../text/transactions.ts';
import { ChangeCategory } from './change-category.tsx';
import { transactionMoment } from './transaction-moment.ts';
import classes from './transactions.module.css';

interface TransactionDialogProps {
  readonly row: Transaction;
  /** The rows read so far, in which similar ones are found. */
  readonly rows: readonly Transaction[];
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly onRule: ComponentProps<typeof ChangeCategory>['onRule'];
  readonly onClose: () => void;
}

/** Everything v2 says about a transaction, and a way to change its category permanently. */
export function TransactionDialog(props: TransactionDialogProps) {
  const { row, accounts, categories, onClose } = props;
  const account = accounts.find(({ id }) => id === row.account);
  const [changing, setChanging] = useState(false);
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const { amount, merchant_name: merchant, description } = row;
  return (
    <Dialog title={merchant ?? description} onClose={onClose}>
      <p className={classes.dialogAmount}>{moneyText(BigInt(amount.amount), amount.currency, 'always')}</p>
      {changing ? (
        <>
          <p className={classes.note}>{shortly(row, account, categories)}</p>
          <ChangeCategory {...props} chosen={[row]} />
        </>
      ) : (
        <>
          <div className={classes.facts}>
            <Facts facts={factsOf(row, account, categories, zone)} />
          </div>
          <p className={classes.id}>{TRANSACTION.idOf(row.id)}</p>
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {PROBLEMS.close}
            </Button>
            <OwnerOnly scope="categories:write">
              <Button onClick={() => setChanging(true)}>{TRANSACTION.change}</Button>
            </OwnerOnly>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** What stays visible while the category is changed. */
function shortly(row: Transaction, account: Account | undefined, categories: readonly Category[]): string {
  const category = categories.find(({ id }) => id === row.category);
  return [
    row.description,
    row.date === null ? null : dayText(row.date),
    account === undefined ? null : accountLabel(account),
    category?.name ?? TRANSACTION.noCategory,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function factsOf(
  row: Transaction,
  account: Account | undefined,
  categories: readonly Category[],
  zone: string,
) {
  const category = categories.find(({ id }) => id === row.category);
  const code = row.provider_category;
  const merchant = merchantOf(row);
  return [
    [TRANSACTION.account, account === undefined ? null : accountLabel(account)],
    [TRANSACTION.bank, account?.institution.name],
    [TRANSACTION.status, TRANSACTION.statuses[row.status]],
    [TRANSACTION.date, transactionMoment(row.date, row.datetime, zone)],
    [TRANSACTION.posted, transactionMoment(row.post_date, row.post_datetime, zone)],
    [TRANSACTION.valueDate, transactionMoment(row.value_date, row.value_datetime, zone)],
    [TRANSACTION.category, category === undefined ? TRANSACTION.none : `${category.icon} ${category.name}`],
    [TRANSACTION.bankCategory, code === null ? TRANSACTION.none : codeLabel(code)],
    [TRANSACTION.description, row.description],
    [TRANSACTION.more, row.extended_description],
    [
      TRANSACTION.merchant,
      merchant.key === '' ? null : (
        <Link key={merchant.key} to={APP_PATHS.merchant} params={{ merchant: merchant.key }}>
          {merchant.name}
        </Link>
      ),
    ],
    [TRANSACTION.merchantCode, row.merchant_category_code],
    [TRANSACTION.reference, row.reference],
  ] as const;
}
