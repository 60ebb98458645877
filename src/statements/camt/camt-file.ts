import type { AccountType } from '../../vocabulary/account-types.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import { negated, readAmount } from '../amounts.ts';
import type { Reading } from '../reading.ts';
import {
  type Statement,
  type StatementAccount,
  type StatementBalance,
  UnusableFile,
} from '../statement-contract.ts';
import { NO_ACCOUNT, StatementDraft } from '../statement-draft.ts';
import { dayIn, rowsOfEntry } from './camt-entry.ts';
import { at, readXmlElements, textAt, type XmlElement, type XmlHandler } from './xml-elements.ts';

/** Statements (053) and reports (052); notifications (054) repeat entries that a statement has too. */
const STATEMENTS: ReadonlySet<string> = new Set(['Stmt', 'Rpt']);
const KEPT: ReadonlySet<string> = new Set(['Acct', 'Bal', 'Ntry', 'FrToDt']);
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['CACC', 'transaction'],
  ['TRAN', 'transaction'],
  ['SVGS', 'savings'],
  ['CARD', 'credit-card'],
  ['LOAN', 'loan'],
]);
/** The work of making a row of an entry, in characters. */
const ROW = 400;
/** Closing balances, the best first: booked at the end of the day, at the end of an interim report. */
const CLOSING: readonly string[] = ['CLBD', 'ITBD'];

/** The statements of a CAMT.053 or CAMT.052 file of any version. Raises UnusableFile. */
export async function readCamt(text: string, reading: Reading): Promise<Statement[]> {
  const statements = new CamtStatements(reading);
  await readXmlElements(text, reading, statements);
  if (statements.drafts.length === 0) {
    throw new UnusableFile(
      'empty',
      'The file contains no statement of an account. Download it again, as CAMT.053.',
    );
  }
  return statements.drafts.map((draft) => draft.done());
}

class CamtStatements implements XmlHandler {
  readonly drafts: StatementDraft[] = [];
  readonly #reading: Reading;
  #draft: StatementDraft | null = null;
  #closing = CLOSING.length;
  readonly #entries: Array<{ readonly draft: StatementDraft; readonly entry: XmlElement }> = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  keeps(name: string): boolean {
    return this.#draft !== null && KEPT.has(name);
  }

  begin(name: string): void {
    if (!STATEMENTS.has(name)) return;
    this.#draft = new StatementDraft();
    this.#closing = CLOSING.length;
    this.drafts.push(this.#draft);
  }

  element(element: XmlElement): void {
    const draft = this.#draft;
    if (draft === null) return;
    switch (element.name) {
      case 'Acct':
        draft.account = accountOf(element);
        break;
      case 'FrToDt':
        draft.from = dayIn(textAt(element, 'FrDtTm', 'FrDt'));
        draft.to = dayIn(textAt(element, 'ToDtTm', 'ToDt'));
        break;
      case 'Bal':
        this.#balance(draft, element);
        break;
      case 'Ntry':
        this.#entries.push({ draft, entry: element });
        break;
    }
  }

  async settle(): Promise<void> {
    for (const { draft, entry } of this.#entries.splice(0)) {
      for await (const row of rowsOfEntry(entry, draft.account.currency, this.#reading)) {
        draft.add(row, this.#reading.nextRow());
        if (this.#reading.worked(ROW)) await this.#reading.pause();
      }
    }
  }

  /** Of balances of one kind the last is the newest. */
  #balance(draft: StatementDraft, element: XmlElement): void {
    const currency = currencyCode(at(element, 'Amt')?.attributes.get('Ccy') ?? '');
    if (draft.account.currency === null) draft.account = { ...draft.account, currency };
    const rank = CLOSING.indexOf(textAt(element, 'Tp/CdOrPrtry/Cd') ?? '');
    const balance = balanceOf(element);
    if (rank < 0 || rank > this.#closing || balance === null) return;
    this.#closing = rank;
    draft.closing = balance;
  }
}

function balanceOf(element: XmlElement): StatementBalance | null {
  const amount = readAmount(textAt(element, 'Amt') ?? '', '.');
  if (amount === null) return null;
  const debit = textAt(element, 'CdtDbtInd') === 'DBIT';
  return { amount: debit ? negated(amount) : amount, date: dayIn(textAt(element, 'Dt/Dt', 'Dt/DtTm')) };
}

function accountOf(element: XmlElement): StatementAccount {
  return {
    ...NO_ACCOUNT,
    number: textAt(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id'),
    bank: textAt(
      element,
      'Svcr/FinInstnId/BICFI',
      'Svcr/FinInstnId/BIC',
      'Svcr/FinInstnId/ClrSysMmbId/MmbId',
      'Svcr/FinInstnId/Nm',
    ),
    name: textAt(element, 'Nm'),
    type: TYPES.get(textAt(element, 'Tp/Cd') ?? '') ?? null,
    currency: currencyCode(textAt(element, 'Ccy') ?? ''),
  };
}
