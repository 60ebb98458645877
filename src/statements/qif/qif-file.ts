import type { AccountType } from '../../vocabulary/account-types.ts';
import { guessDecimalSign, readAmount } from '../amounts.ts';
import { type DateOrder, guessDateOrder, readDate } from '../dates.ts';
import type { Reading } from '../reading.ts';
import { type Statement, type StatementAccount, UnusableFile } from '../statement-contract.ts';
import { NO_ACCOUNT, type RowDraft, StatementDraft } from '../statement-draft.ts';
import { textLines } from '../text-lines.ts';

/** Lists of transactions by the word behind `!Type:`; other lists (categories, securities, prices) have no rows. */
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['bank', 'transaction'],
  ['cash', 'other'],
  ['ccard', 'credit-card'],
  ['oth a', 'other'],
  ['oth l', 'loan'],
]);
/** Trades: their amounts have no sign and mean money only together with the action. */
const TRADES: ReadonlySet<string> = new Set(['invst', 'port']);

/** The lines of a record by their first letter. Lines of splits repeat. */
type Fields = Map<string, string[]>;

interface QifSection {
  readonly account: StatementAccount;
  /** Null for trades, which are unreadable. */
  readonly records: Array<{ readonly fields: Fields | null; readonly position: number }>;
}

/** What lines are about: rows of a section, the account that follows, or a list that has no rows. */
type Context =
  | { readonly kind: 'rows' | 'trades'; readonly section: QifSection }
  | { readonly kind: 'account' | 'list' };

/**
 * The statements of a QIF file, one for each list of transactions. The order of day and month and the decimal sign are
 * decided over the whole file, because one program wrote it. Where day and month could be exchanged throughout, a file
 * with decimal commas has the day first, and any other the month, as Quicken writes it. Raises UnusableFile.
 */
export async function readQif(text: string, reading: Reading): Promise<Statement[]> {
  const sections = await sectionsOf(text, reading);
  if (sections.length === 0) {
    throw new UnusableFile(
      'empty',
      'The file contains no list of transactions. Export an account with transactions.',
    );
  }
  const amounts: string[] = [];
  const dates: string[] = [];
  for (const { records } of sections) {
    for (const { fields } of records) {
      amounts.push(...(fields?.get('T') ?? []).slice(0, 1));
      dates.push(...(fields?.get('D') ?? []).slice(0, 1).map(plainDate));
    }
    await reading.pause();
  }
  const { sign } = await guessDecimalSign(amounts, reading);
  const guess = await guessDateOrder(dates, reading);
  const usual = sign === ',' ? 'dmy' : 'mdy';
  const order = guess.certain || !guess.orders.includes(usual) ? guess.order : usual;
  const statements: Statement[] = [];
  for (const section of sections) {
    const draft = new StatementDraft();
    draft.account = section.account;
    for (const { fields, position } of section.records) {
      if (fields === null) draft.addUnreadable(position);
      else
        draft.add(
          rowOf(fields, order, (amount) => readAmount(amount, sign) ?? readAmount(amount, null)),
          position,
        );
      if (reading.worked(100)) await reading.pause();
    }
    statements.push(draft.done());
  }
  return statements;
}

async function sectionsOf(text: string, reading: Reading): Promise<QifSection[]> {
  const sections: QifSection[] = [];
  let context: Context = { kind: 'list' };
  let fields: Fields = new Map();
  let account = NO_ACCOUNT;
  const endRecord = () => {
    const ended = fields;
    fields = new Map();
    if (ended.size === 0) return;
    if (context.kind === 'account') account = accountOf(ended);
    else if ('section' in context) {
      context.section.records.push({
        fields: context.kind === 'rows' ? ended : null,
        position: reading.nextRow(),
      });
    }
  };
  for await (const lines of textLines(text, reading)) {
    for (const raw of lines) {
      const line = raw.trim();
      if (line.startsWith('!')) {
        endRecord();
        const started = contextOf(line, account);
        if (started === null) continue;
        context = started;
        if ('section' in context) sections.push(context.section);
      } else if (line === '^') endRecord();
      else if (line !== '') {
        const key = line.charAt(0).toUpperCase();
        const values = fields.get(key);
        if (values === undefined) fields.set(key, [line.slice(1).trim()]);
        else values.push(line.slice(1).trim());
      }
    }
  }
  endRecord();
  return sections;
}

/** What follows a line with `!`, or null for options, which change nothing here. */
function contextOf(line: string, account: StatementAccount): Context | null {
  if (/^!account/i.test(line)) return { kind: 'account' };
  const [, word] = /^!type:\s*(.{1,20})/i.exec(line) ?? [];
  if (word === undefined) return null;
  const kind = word.trim().toLowerCase();
  const type = TYPES.get(kind);
  if (type !== undefined) return { kind: 'rows', section: { account: { ...account, type }, records: [] } };
  if (!TRADES.has(kind)) return { kind: 'list' };
  return { kind: 'trades', section: { account: { ...account, type: 'investment' }, records: [] } };
}

function accountOf(fields: Fields): StatementAccount {
  return { ...NO_ACCOUNT, name: fields.get('N')?.[0] ?? null };
}

/** `1/31'26` and `1/ 5' 6`: an apostrophe before the years from 2000 on, and spaces instead of zeros. */
function plainDate(text: string): string {
  return text.length > 20 ? text : text.replace(/\s*(['/.-])\s*/g, '$1');
}

function rowOf(fields: Fields, order: DateOrder, amountOf: (text: string) => string | null): RowDraft {
  const of = (key: string) => fields.get(key)?.[0] ?? null;
  const [payee, memo, category] = [of('P'), of('M'), categoryOf(fields)];
  const number = of('N');
  const transfer = category?.startsWith('[') === true;
  return {
    date: readDate(plainDate(of('D') ?? ''), order),
    amount: amountOf(of('T') ?? of('U') ?? ''),
    descriptions: [payee, memo, fields.get('A')?.join(' '), number, transfer ? null : category],
    counterparty: payee,
    memo,
    category: transfer ? null : category,
    class: transfer ? 'transfer' : 'other',
  };
}

/** The category, also of the splits if all have the same one. `Food/Holiday` is a category and a class, which is left out. */
function categoryOf(fields: Fields): string | null {
  const splits = new Set(fields.get('S') ?? []);
  const [only] = splits.size === 1 ? splits : [];
  const text = splits.size > 1 ? null : (fields.get('L')?.[0] ?? only ?? null);
  if (text === null || /^--split--$/i.test(text)) return only ?? null;
  return text.startsWith('[') ? text : (text.split('/', 1)[0] ?? null);
}
