import type { AccountType } from '../../vocabulary/account-types.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import { ofxAmount, ofxText } from './ofx-values.ts';
import type { ExportedAccount, RowExport } from './row-export.ts';

/** The account types that readers know: cards and loans are debts. */
const TYPES: Readonly<Partial<Record<AccountType, string>>> = { 'credit-card': 'CCard', loan: 'Oth L' };
const MOST_CHARACTERS = 255;
/** Enough of an id to distinguish accounts with the same name. */
const ID_CHARACTERS = 6;

/**
 * QIF, one list for each account, under its name if there are several. Posted rows only, as in OFX. Raises
 * `not_supported` for trades and holdings, and for accounts with rows of several currencies, since QIF names none.
 */
export async function* qifLists({ type, accounts }: RowExport, signal: AbortSignal): AsyncGenerator<string> {
  if (type !== 'transactions')
    throw refused('Trades and holdings cannot be exported as QIF; use csv or jsonl.');
  for (const exported of accounts) {
    const { account } = exported;
    const kind = TYPES[account.type] ?? 'Bank';
    // Some programs read only one account per file and reject several.
    const named = accounts.length > 1 ? `!Account\nN${nameOf(account, accounts)}\nT${kind}\n^\n` : '';
    let text = `${named}!Type:${kind}\n`;
    let currency: string | null = null;
    for await (const page of exported.pages(signal)) {
      for (const row of page) {
        if (row.kind !== 'transaction') continue;
        currency ??= row.transaction.amount.currency;
        if (row.transaction.amount.currency !== currency)
          throw refused(
            'An account has rows in several currencies, which QIF cannot express; use csv or jsonl.',
          );
        text += entry(row.transaction, row.memo);
      }
      // The format has no place for them.
      exported.takeAside();
      if (text !== '') yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
}

function nameOf({ id, name }: ExportedAccount['account'], accounts: readonly ExportedAccount[]): string {
  const clean = ofxText(name, MOST_CHARACTERS);
  const same = accounts.filter(({ account }) => ofxText(account.name, MOST_CHARACTERS) === clean);
  return same.length === 1 ? clean : `${clean} ${publicId('account', id).slice(-ID_CHARACTERS)}`;
}

/** Empty for a row that is not posted, or that the bank gives no day. */
function entry(row: Transaction, memo: string | null): string {
  const day = row.post_date ?? row.date;
  if (row.status === 'pending' || day === null) return '';
  const payee = ofxText(row.merchant_name ?? row.description, MOST_CHARACTERS);
  const description = ofxText(row.description, MOST_CHARACTERS);
  const notes = [description === payee ? '' : description, ofxText(memo ?? '', MOST_CHARACTERS)];
  const note = notes.filter((text) => text !== '').join(' | ');
  return (
    `D${qifDay(day)}\nT${ofxAmount(row.amount_decimal)}\n` +
    `${payee === '' ? '' : `P${payee}\n`}${note === '' ? '' : `M${note}\n`}^\n`
  );
}

/**
 * Month, day and year, as Quicken writes it. It is the format that readers know or offer first; Quicken sorts ISO 8601
 * days wrongly, and GnuCash rejects them if no day in the file is above 12.
 */
function qifDay(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

function refused(message: string): ServiceError {
  return new ServiceError('not_supported', { message });
}
