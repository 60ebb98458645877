import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { api } from '../api/client.ts';
import { exportFile } from '../api/pieces.ts';
import { dayText } from '../format/moments.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Check, Fields } from '../parts/fields.tsx';
import { Problem } from '../parts/page-states.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PROBLEMS } from '../text/problems.ts';
import { EXPORTS } from '../text/transactions.ts';
import { Done } from './done.tsx';
import { entriesOf } from './entries.ts';
import { csvOf, jsonLinesOf } from './file-text.ts';
import { matching, narrows } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import type { TransactionWindow } from './reads.ts';
import type { TransactionsSearch } from './search.ts';
import classes from './transactions.module.css';
import type { TransactionRows } from './use-transaction-rows.ts';

export interface ExportDialogProps {
  readonly read: TransactionRows;
  readonly window: TransactionWindow;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly search: TransactionsSearch;
  readonly onClose: () => void;
}

/** A file with exactly what is shown; the rest of the period is read first. */
export function ExportDialog({ read, window, accounts, categories, search, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>('csv');
  const [asked, setAsked] = useState(false);
  const narrowed = narrows(search);
  const rows = matching(read.rows ?? [], search, categories);
  const save = useMutation({
    mutationFn: () => {
      const shown = entriesOf(rows, search.sort, true).flatMap((one) =>
        one.kind === 'row' ? [one.row] : [],
      );
      return saveTransactions(format, { rows: shown, window, accounts, categories });
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
            <Button variant="default" onClick={onClose}>
              {PROBLEMS.cancel}
            </Button>
            <Button type="submit" loading={save.isPending || (asked && error === null)}>
              {EXPORTS.save}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <>
          <Done title={EXPORTS.done} text={EXPORTS.doneText(save.data.count, save.data.name)} />
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
  /** What is shown, in its order. */
  readonly rows: readonly Transaction[];
  readonly window: TransactionWindow;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
}

interface SavedFile {
  readonly name: string;
  readonly count: number;
}

/** By which spreadsheets recognise UTF-8. */
const BOM = '\uFEFF';

/** Makes the file and gives it to the person. Raises what reading raises; nothing is saved then. */
async function saveTransactions(format: Format, contents: Contents): Promise<SavedFile> {
  const { rows, window } = contents;
  const ending = format === 'ofx1' ? 'ofx' : format;
  const name = `transactions-${window.from}-to-${window.to}.${ending}`;
  const row = STATEMENTS.get(format);
  if (row !== undefined) {
    const statements = await statementsOf(window, format, name);
    // The service names it after its accounts; the page names each of its files after the period.
    saveFile(new File([statements], name, { type: statements.type }));
    return { name, count: (await statements.text()).match(row)?.length ?? 0 };
  }
  saveFile(
    format === 'csv'
      ? new File([BOM, csvOf(rows, contents)], name, { type: 'text/csv;charset=utf-8' })
      : new File([jsonLinesOf(rows)], name, { type: 'application/x-ndjson' }),
  );
  return { name, count: rows.length };
}

/** The statements as the service writes them. One that is aborted raises UnreachableError. */
async function statementsOf(
  { banks, from, to }: TransactionWindow,
  format: Format,
  name: string,
): Promise<File> {
  const account = banks.flatMap(({ accounts }) => accounts);
  const response = await api.transactions.export({ account, from, to, format });
  return exportFile(response, name);
}
