import type { Account, Category, Transaction } from '#client';
import { csvLine } from '../../../src/vocabulary/csv-lines.ts';
import { decimalFromMoney } from '../../../src/vocabulary/money.ts';
import { TRANSACTION_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import type { RowAside } from '../api/held-rows.ts';
import { EXPORTS } from '../text/transactions.ts';

interface Names {
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
}

interface Column {
  readonly header: string;
  readonly value: (row: Transaction, account: Account | undefined, category: string | null) => string | null;
}

/** The columns of spreadsheets that a transaction of v2 has values for (docs/columns.md), and the bank's category. */
const COLUMNS: readonly Column[] = [
  { header: TRANSACTION_FIELDS.transaction_id.header, value: ({ id }) => id },
  { header: TRANSACTION_FIELDS.date.header, value: ({ date, post_date: posted }) => date ?? posted },
  { header: TRANSACTION_FIELDS.description.header, value: ({ description }) => description },
  { header: TRANSACTION_FIELDS.amount.header, value: ({ amount }) => decimalFromMoney(amount) },
  { header: TRANSACTION_FIELDS.currency.header, value: ({ amount }) => amount.currency.toUpperCase() },
  { header: TRANSACTION_FIELDS.direction.header, value: ({ direction }) => direction },
  { header: TRANSACTION_FIELDS.category.header, value: (_row, _account, category) => category },
  { header: EXPORTS.bankCategory, value: ({ provider_category: code }) => code },
  { header: TRANSACTION_FIELDS.merchant.header, value: ({ merchant_name: merchant }) => merchant },
  { header: EXPORTS.reference, value: ({ reference }) => reference },
  { header: TRANSACTION_FIELDS.account.header, value: (_row, account) => account?.name ?? null },
  { header: TRANSACTION_FIELDS.status.header, value: ({ status }) => status },
  { header: TRANSACTION_FIELDS.post_date.header, value: ({ post_date: posted }) => posted },
  {
    header: TRANSACTION_FIELDS.account_number.header,
    value: (_row, account) => account?.account_number ?? null,
  },
  {
    header: TRANSACTION_FIELDS.institution.header,
    value: (_row, account) => account?.institution.name ?? null,
  },
  { header: TRANSACTION_FIELDS.account_id.header, value: ({ account }) => account },
];

/** The rows as CSV, in their order, with a line of names. Formulas are defused as the service does it (docs/exports.md#csv). */
export function csvOf(rows: readonly Transaction[], { accounts, categories }: Names): string {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const options = { defuse: true };
  const lines = [
    csvLine(
      COLUMNS.map(({ header }) => header),
      options,
    ),
  ];
  for (const row of rows) {
    const category = row.category === null ? null : (names.get(row.category) ?? null);
    const account = byId.get(row.account);
    lines.push(
      csvLine(
        COLUMNS.map(({ value }) => value(row, account, category)),
        options,
      ),
    );
  }
  return lines.join('');
}

/** The rows as the API shows them, one a line, and after them those that could not be read, as its exports name them. */
export function jsonLinesOf(
  rows: readonly Transaction[],
  aside: ReadonlyMap<string, readonly RowAside[]>,
): string {
  const lacking = [...aside].flatMap(([account, of]) =>
    of.map((row) => ({ object: 'row_set_aside', account, ...row })),
  );
  return [...rows, ...lacking].map((line) => `${JSON.stringify(line)}\n`).join('');
}
