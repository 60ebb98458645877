import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { fileNameOf } from '../../../src/vocabulary/shown-names.ts';
import type { CountedSpending } from '../accounts/spending-rules.ts';
import { api } from '../api/client.ts';
import { me } from '../api/me.ts';
import { type ExportedFile, exportFile } from '../api/pieces.ts';
import { dayText } from '../format/moments.ts';
import { CancelButton, Dialog, DialogActions } from '../parts/dialog.tsx';
import { Check, Fields } from '../parts/fields.tsx';
import { Problem } from '../parts/page-states.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PROBLEMS } from '../text/problems.ts';
import { ROWS_ASIDE } from '../text/rows-aside.ts';
import { EXPORTS } from '../text/transactions.ts';
import { Done } from './done.tsx';
import { entriesOf } from './entries.ts';
import { csvOf, jsonLinesOf } from './file-text.ts';
import { matching, narrows } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import type { TransactionWindow } from './reads.ts';
import type { TransactionsSearch } from './search.ts';
import { AsideNotes } from './transaction-list.tsx';
import classes from './transactions.module.css';
import type { TransactionRows } from './use-transaction-rows.ts';

export interface ExportDialogProps {
  readonly read: TransactionRows;
  readonly window: TransactionWindow;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly spending: CountedSpending;
  readonly search: TransactionsSearch;
  readonly onClose: () => void;
}

/** A file with exactly what is shown; the rest of the period is read first. */
export function ExportDialog(props: ExportDialogProps) {
  const { read, window, accounts, categories, spending, search, onClose } = props;
  const [format, setFormat] = useState<Format>('csv');
  const [asked, setAsked] = useState(false);
  const narrowed = narrows(search);
  const rows = matching(read.rows ?? [], search, categories, spending);
  const record = useQuery(me).data?.name ?? null;
  const save = useMutation({
    mutationFn: () => {
      const shown = entriesOf(rows, search.sort, true).flatMap((one) =>
        one.kind === 'row' ? [one.row] : [],
      );
      return saveTransactions(format, {
        record,
        rows: shown,
        aside: read.aside,
        window,
        accounts,
        categories,
      });
    },
  });
  const { mutate } = save;
  // These are statements of the bank's own, which the service writes from beginning to end.
  const ready = isStatement(format) || read.complete;
  useEffect(() => {
    if (!asked || !ready) return;
    setAsked(false);
    mutate();
  }, [asked, ready, mutate]);
  const error = asked ? read.error : save.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.reset();
    setAsked(true);
    if (!ready) read.readWhole();
  };
  const days = EXPORTS.days(dayText(window.from), dayText(window.to));
  return (
    <Dialog title={EXPORTS.title} onClose={onClose}>
      {save.data === undefined ? (
        <form onSubmit={submit}>
          <p>
            {!narrowed
              ? EXPORTS.everything(days)
              : read.complete
                ? EXPORTS.filtered(rows.length)
                : EXPORTS.filteredSoFar(rows.length)}
          </p>
          <AsideNotes read={read} accounts={accounts} of="file" />
          {read.failed.length === 0 ? null : (
            <p>{EXPORTS.missingBanks(read.failed.map(({ bank }) => bank.name))}</p>
          )}
          <div className={classes.part}>
            <Fields legend={EXPORTS.format}>
              {FORMATS.map((one) => (
                <Check
                  key={one}
                  group="format"
                  label={EXPORTS.formats[one]}
                  hint={isStatement(one) && narrowed ? EXPORTS.statementFiltered : EXPORTS.hints[one]}
                  checked={format === one}
                  disabled={isStatement(one) && narrowed}
                  onChange={() => setFormat(one)}
                />
              ))}
            </Fields>
            {error === null ? null : <Problem error={error} title={EXPORTS.failed} />}
            {asked && error === null ? <ReadProgress counter={read.counter} /> : null}
          </div>
          <DialogActions>
            <CancelButton onClose={onClose} />
            <Button type="submit" loading={save.isPending || (asked && error === null)}>
              {EXPORTS.save}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <>
          <Done title={EXPORTS.done} text={EXPORTS.doneText(save.data.count, save.data.name)} />
          {save.data.lacking === null ? (
            <AsideNotes read={read} accounts={accounts} of="file" />
          ) : (
            save.data.lacking.map(({ account, rows: count }) => (
              <p key={account}>
                {ROWS_ASIDE.notInFile(count, accounts.find(({ id }) => id === account)?.name ?? account)}
              </p>
            ))
          )}
          <DialogActions>
            <Button onClick={onClose}>{PROBLEMS.close}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

const FORMATS = ['csv', 'jsonl', 'ofx', 'ofx1', 'qif'] as const;
type Format = (typeof FORMATS)[number];

/** Formats that the service writes, of whole statements, and by what a row begins in them. */
const STATEMENTS: ReadonlyMap<Format, RegExp> = new Map([
  ['ofx', /<STMTTRN>/g],
  ['ofx1', /<STMTTRN>/g],
  ['qif', /^D/gm],
]);

function isStatement(format: Format): boolean {
  return STATEMENTS.has(format);
}

interface Contents {
  /** The name of the account record. */
  readonly record: string | null;
  /** What is shown, in its order. */
  readonly rows: readonly Transaction[];
  readonly aside: TransactionRows['aside'];
  readonly window: TransactionWindow;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
}

interface SavedFile {
  readonly name: string;
  readonly count: number;
  /** What a file of the service lacks; null if the page wrote what it had read. */
  readonly lacking: ExportedFile['lacking'] | null;
}

/** By which spreadsheets recognise UTF-8. */
const BOM = '\uFEFF';

/** Makes the file and gives it to the person. Raises what reading raises; nothing is saved then. */
async function saveTransactions(format: Format, contents: Contents): Promise<SavedFile> {
  const { record, rows, window } = contents;
  const ending = format === 'ofx1' ? 'ofx' : format;
  const name = fileNameOf(record, `transactions-${window.from}-to-${window.to}.${ending}`);
  const row = STATEMENTS.get(format);
  if (row !== undefined) {
    const { file, lacking } = await statementsOf(window, format);
    // The service names it after its accounts; the page names each of its files after the period.
    saveFile(new File([file], name, { type: file.type }));
    return { name, count: (await file.text()).match(row)?.length ?? 0, lacking };
  }
  saveFile(
    format === 'csv'
      ? new File([BOM, csvOf(rows, contents)], name, { type: 'text/csv;charset=utf-8' })
      : new File([jsonLinesOf(rows, contents.aside)], name, { type: 'application/x-ndjson' }),
  );
  return { name, count: rows.length, lacking: null };
}

/** The statements as the service writes them. One that is aborted raises UnreachableError. */
async function statementsOf({ banks, from, to }: TransactionWindow, format: Format): Promise<ExportedFile> {
  const account = banks.flatMap(({ accounts }) => accounts);
  const response = await api.transactions.export({ account, from, to, format, set_aside: 'report' });
  return exportFile(response);
}
