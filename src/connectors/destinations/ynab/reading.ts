import { addDays, type LocalDate } from '../../../vocabulary/moments.ts';
import type { OpenedSync, ShownRow, TargetReading } from '../destination-contract.ts';
import type { Transaction } from './client.ts';
import { inDays, type ReadTransactions } from './existing-transactions.ts';
import { decodeRow, importIds, isOwnImportId, milliunits } from './rows.ts';

/** A person may have moved a transaction to an earlier day. */
const SLACK_DAYS = 31;

/**
 * Reads back what this service imported into a plan, in whatever account it now is. What an update leaves to the person
 * (changes.ts) is not compared: a payee that was renamed, the category of what they approved, and whatever they
 * reconciled or split.
 */
export function ynabReading(
  read: ReadTransactions,
  { options }: Pick<OpenedSync, 'options'>,
  today: () => LocalDate,
  inspect: NonNullable<TargetReading['inspect']>,
): TargetReading {
  return {
    inspect,
    shown: (text) => {
      const { date, amount, payee, memo, category, cleared } = decodeRow(text);
      const units = milliunits(amount);
      return {
        Date: date,
        Amount: units === null ? amount : decimal(units),
        Payee: payee,
        Memo: memo,
        Cleared: cleared,
        ...(category === null ? {} : { Category: category }),
      };
    },
    keysOf: (id, remoteRef, account) => {
      const { posted, pending } = importIds(account, id);
      return remoteRef === null ? [...posted, ...pending] : [...posted, remoteRef];
    },
    rows: async function* (signal) {
      const since = addDays(options.data_from, -SLACK_DAYS);
      for await (const transactions of inDays(read, today, since, null, signal)) {
        yield transactions.flatMap(shownRow);
      }
    },
  };
}

function shownRow(transaction: Transaction): readonly ShownRow[] {
  const { id, import_id: importId, deleted, date } = transaction;
  if (deleted || !isOwnImportId(importId)) return [];
  const { payee_name: payee = null, import_payee_name: imported = null } = transaction;
  const { approved, subtransactions, cleared } = transaction;
  // Another row may have replaced the one that was imported: the ledger has YNAB's id for it.
  const keys = [id, importId];
  const where = `${date}, transaction ${id}`;
  const isSplit = subtransactions.some((one) => one.deleted !== true);
  if (cleared === 'reconciled' || isSplit) return [{ keys, where, values: {} }];
  const values = {
    Date: date,
    Amount: decimal(transaction.amount),
    Memo: transaction.memo ?? null,
    Cleared: cleared,
    ...(payee === imported ? { Payee: payee } : {}),
    ...(approved ? {} : { Category: transaction.category_id ?? null }),
  };
  return [{ keys, where, values }];
}

/** Thousandths as people write them. */
function decimal(units: number): string {
  const digits = String(Math.abs(units)).padStart(4, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3).replace(/0$/, '')}`;
}
