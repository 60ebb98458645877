import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import type { Clock } from '../../platform/clock.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { DayWindow } from '../reads/transaction-window.ts';
import type { ExportedAccount, ExportedRow, RowExport } from './row-export.ts';

/**
 * One JSON object per line, as `present` shows a row. If reading fails after the first piece, the last line is the
 * result of `explain`, and the error is then raised.
 */
export async function* jsonLines(
  { accounts }: RowExport,
  present: (row: ExportedRow, account: DeliveryAccount) => unknown,
  explain: (error: ServiceError) => unknown,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for (const exported of accounts) {
      const { account } = exported;
      for await (const page of exported.pages(signal)) {
        const text = page.map((row) => `${JSON.stringify(present(row, account))}\n`).join('');
        if (text === '') continue;
        begun = true;
        yield text;
      }
      const aside = asideLines(exported);
      if (aside !== '') yield aside;
    }
  } catch (error) {
    if (begun) {
      const known = error instanceof ServiceError ? error : new ServiceError('internal_error');
      yield `${JSON.stringify(explain(known))}\n`;
    }
    throw error;
  }
}

/** Accounts that are read at the same time, and with those that are slow: a bank that hangs keeps no other waiting. */
const AT_ONCE = 4;
const AT_MOST = 12;
/** An account without an answer after this part of the deadline of a read is slow. */
const SLOW_PART = 10;

/** How an account of an export ended. Days are inclusive; `observedAt` in epoch milliseconds. */
export interface AccountOutcome {
  readonly account: DeliveryAccount;
  readonly window: DayWindow | null;
  readonly observedAt: number | null;
  /** Null if all rows of the account came before. */
  readonly error: ServiceError | null;
}

interface Reading {
  readonly exported: ExportedAccount;
  readonly pages: AsyncIterator<readonly ExportedRow[]>;
  /** Null for the one account that an export may always read. */
  readonly turn: { free(): void } | null;
  isSlow: boolean;
}

type Step = { readonly reading: Reading } & (
  | { readonly page: IteratorResult<readonly ExportedRow[]> }
  | { readonly error: unknown }
);

/**
 * One JSON object per line, as `present` shows a row; after the rows of an account, a line that says how it ended
 * (`conclude`). An account that cannot be read fails no other. Accounts are read at the same time, so their rows come in
 * between each other. An export may always read one account, and others while the account
 * record has turns for them, because each may hold a whole list until the caller has received it. Raises `signal.reason`, and what is no ServiceError.
 */
export async function* jsonLinesApart(
  { accounts, takeTurn }: RowExport,
  present: (row: ExportedRow, account: DeliveryAccount) => unknown,
  conclude: (outcome: AccountOutcome) => unknown,
  signal: AbortSignal,
  { clock, readDeadlineMs }: { readonly clock: Clock; readonly readDeadlineMs: number },
): AsyncGenerator<string> {
  const waiting = [...accounts];
  const running = new Map<Reading, Promise<Step>>();
  const done = new AbortController();
  let wake = Promise.withResolvers<null>();
  const next = (reading: Reading) => {
    const step = reading.pages.next().then(
      (page): Step => ({ reading, page }),
      (error: unknown): Step => ({ reading, error }),
    );
    running.set(reading, step);
  };
  const begin = (exported: ExportedAccount, turn: Reading['turn']) => {
    const pages = exported.pages(signal)[Symbol.asyncIterator]();
    const reading: Reading = { exported, pages, turn, isSlow: false };
    next(reading);
    clock.sleep(readDeadlineMs / SLOW_PART, done.signal).then(
      () => {
        reading.isSlow = true;
        wake.resolve(null);
      },
      () => undefined,
    );
  };
  try {
    while (waiting.length > 0 || running.size > 0) {
      while ([...running.keys()].filter(({ isSlow }) => !isSlow).length < AT_ONCE && running.size < AT_MOST) {
        const needsTurn = [...running.keys()].some(({ turn }) => turn === null);
        const turn = needsTurn && waiting.length > 0 ? takeTurn() : null;
        if (needsTurn && turn === null) break;
        const exported = waiting.shift();
        if (exported === undefined) break;
        begin(exported, turn);
      }
      const step = await Promise.race([wake.promise, ...running.values()]);
      if (step === null) {
        wake = Promise.withResolvers();
        continue;
      }
      const { reading } = step;
      const { exported } = reading;
      const { account, window } = exported;
      if ('page' in step && step.page.done !== true) {
        const text = step.page.value.map((row) => `${JSON.stringify(present(row, account))}\n`).join('');
        next(reading);
        if (text !== '') yield text;
        continue;
      }
      running.delete(reading);
      reading.turn?.free();
      const error = 'error' in step ? step.error : null;
      signal.throwIfAborted();
      if (error !== null && !(error instanceof ServiceError)) throw error;
      const outcome = { account, window, observedAt: exported.observedAt(), error };
      yield `${asideLines(exported)}${JSON.stringify(conclude(outcome))}\n`;
    }
  } finally {
    done.abort();
    for (const { pages, turn } of running.keys()) {
      turn?.free();
      pages.return?.(undefined).catch(() => undefined);
    }
  }
}

/** Rows that the file lacks because they could not be read. */
function asideLines({ account, takeAside }: ExportedAccount): string {
  const lines = takeAside().map(({ id, day, field, reason }) =>
    JSON.stringify({
      object: 'row_set_aside',
      account: publicId('account', account.id),
      id,
      day,
      field,
      reason,
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
