import { items, record } from '../../sandbox/visitor.ts';

/** What a bank data file says of one account, read from the file without the sandbox's loader. */
export interface FiledAccount {
  readonly name: string;
  readonly lastFour: string | null;
  readonly balance: string | null;
  readonly rows: readonly FiledRow[];
}

export interface FiledRow {
  readonly status: string;
  readonly day: string | null;
  readonly cents: bigint;
  readonly description: string;
}

type Json = Record<string, unknown>;

/** Accounts of each customer, in the order of the file, in either published shape. */
export function filedAccounts(file: unknown): FiledAccount[][][] {
  const root = record(file);
  if (Array.isArray(root.holders)) {
    return items(root.holders).map((holder) =>
      items(record(record(holder.holder).authenticated).customers).map((customer) =>
        items(record(customer.banking ?? { accounts: [] }).accounts).map(standardAccount),
      ),
    );
  }
  return [items(root.Customers).map((customer) => items(customer.Accounts).map(flatAccount))];
}

function standardAccount(entry: Json): FiledAccount {
  const account = record(entry.account);
  return {
    name: said(account.nickname) ?? said(account.displayName) ?? String(account.productName),
    lastFour: lastFour(account.accountNumber) ?? lastFour(account.maskedNumber),
    balance: entry.balance === undefined ? null : String(record(entry.balance).currentBalance),
    rows: items(entry.transactions).map((row) => ({
      status: String(row.status).toLowerCase(),
      day: dayOf(row.executionDateTime, row.postingDateTime, row.valueDateTime),
      cents: centsOf(String(row.amount), said(row.currency) ?? 'AUD'),
      description: said(row.description) ?? said(row.reference) ?? '',
    })),
  };
}

const OUT = ['TRANSFER_OUTGOING', 'PAYMENT', 'DIRECT_DEBIT', 'FEE', 'INTEREST_CHARGED'];

/** This shape writes amounts without a sign; the type tells which way the money went. */
function flatAccount(account: Json): FiledAccount {
  return {
    name: said(account.NickName) ?? said(account.DisplayName) ?? String(account.ProductName),
    lastFour: lastFour(account.MaskedName),
    balance: null,
    rows: items(account.Transactions ?? []).map((row) => {
      const cents = centsOf(String(row.Amount), said(row.Currency) ?? 'AUD');
      return {
        status: String(row.Status).toLowerCase(),
        day: dayOf(row.ExecutionDateTime, row.PostingDateTime, row.ValueDateTime),
        cents: OUT.includes(String(row.TransactionType)) ? -cents : cents,
        description: said(row.Description) ?? said(row.Reference) ?? '',
      };
    }),
  };
}

function said(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function lastFour(value: unknown): string | null {
  const digits = said(value)?.replace(/\D/g, '') ?? '';
  return digits === '' ? null : digits.slice(-4);
}

const sydney = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Australia/Sydney',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

function dayOf(...moments: unknown[]): string | null {
  const first = moments.map(said).find((moment) => moment !== null);
  return first === undefined || first === null ? null : sydney.format(new Date(first));
}

/** Minor units by whole numbers only, half away from zero. */
export function centsOf(text: string, currency: string): bigint {
  const places =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(places + 1, '0').slice(0, places + 1));
  const rounded = (digits + 5n) / 10n;
  return text.startsWith('-') ? -rounded : rounded;
}
