import type { RowId } from '../../../vocabulary/ids.ts';
import type { ShownRow, ShownValues, TargetInspection, TargetReading } from '../destination-contract.ts';
import { Budget, type BudgetSource } from './budget.ts';
import { type ExistingTransaction, ExistingTransactions, Payees } from './existing-transactions.ts';
import { type BudgetCurrency, currencyOf, dayText, decimalOf, shortest } from './open-budget.ts';
import { type ActualRow, decodeRow, importId, refusalOf } from './rows.ts';

const ROWS_OF_A_PAGE = 500;

/**
 * Reads this service's transactions in a budget back, for verification. What an update leaves to the person
 * (changes.ts) is not compared.
 */
export class ActualReading implements TargetReading {
  readonly #source: BudgetSource;

  constructor(source: BudgetSource) {
    this.#source = source;
  }

  shown(text: string): ShownValues {
    const { date, amount, payee, notes, cleared }: ActualRow = decodeRow(text);
    return {
      Date: date,
      Payee: payee,
      Notes: notes,
      Amount: shortest(amount),
      Cleared: clearedText(cleared),
    };
  }

  keysOf(id: string, remoteRef: string | null, account: RowId<'account'>): readonly string[] {
    const own = importId(account, id);
    return remoteRef === null ? [own] : [own, remoteRef];
  }

  async inspect(signal: AbortSignal): Promise<TargetInspection> {
    using budget = await Budget.open(this.#source, signal);
    const currency = currencyOf(budget);
    return { lacking: [], refusal: (text) => refusalOf(decodeRow(text), currency) };
  }

  async *rows(signal: AbortSignal): AsyncGenerator<readonly ShownRow[]> {
    using budget = await Budget.open(this.#source, signal);
    const existing = new ExistingTransactions(budget);
    const payees = new Payees(budget);
    const currency = currencyOf(budget);
    for (let last = ''; ; ) {
      signal.throwIfAborted();
      const page = existing.after(last, ROWS_OF_A_PAGE);
      if (page.length > 0) yield page.map((one) => shownRow(one, existing, payees, currency));
      if (page.length < ROWS_OF_A_PAGE) return;
      last = page.at(-1)?.id ?? '';
    }
  }
}

function shownRow(
  one: ExistingTransaction,
  existing: ExistingTransactions,
  payees: Payees,
  { decimals }: BudgetCurrency,
): ShownRow {
  const found = { keys: [one.importId, one.id], where: one.id };
  if (one.reconciled || one.split) return { ...found, values: {} };
  const payee = payees.nameOf(one.payee);
  // An existing payee may be capitalised differently.
  const isImported = (payee ?? '').toLowerCase() === (one.importedPayee ?? '').toLowerCase();
  return {
    ...found,
    values: {
      ...(one.transfer ? {} : { Date: dayText(one.day), Amount: shortest(decimalOf(one.units, decimals)) }),
      ...(isImported ? { Payee: one.importedPayee } : {}),
      ...(existing.isForeign(one, 'notes') ? {} : { Notes: one.notes }),
      Cleared: clearedText(one.cleared),
    },
  };
}

function clearedText(cleared: boolean): string {
  return cleared ? 'cleared' : 'uncleared';
}
