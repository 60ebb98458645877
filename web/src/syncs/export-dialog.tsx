import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Sync } from '#client';
import { useAccountNames } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { type ExportedFile, exportFile } from '../api/pieces.ts';
import { bytesText } from '../format/numbers.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Check, Fields } from '../parts/fields.tsx';
import { Problem } from '../parts/page-states.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PROBLEMS } from '../text/problems.ts';
import { ROWS_ASIDE } from '../text/rows-aside.ts';
import { EXPORT } from '../text/syncs.ts';
import classes from './syncs.module.css';

const EXPORT_FORMATS = ['csv', 'ofx', 'ofx1', 'qif', 'jsonl'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface ExportChoice {
  readonly format: ExportFormat;
  /** Empty: from the first day of the sync. */
  readonly from: string;
  /** Empty: until today. */
  readonly to: string;
  readonly bom: boolean;
}

interface ExportProgress {
  readonly signal: AbortSignal;
  /** Called with the number of bytes that have arrived. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * A file with the rows of a sync, once it has been read completely. Raises ApiError, and UnreachableError if it is
 * aborted.
 */
async function exportSync(
  sync: string,
  { format, from, to, bom }: ExportChoice,
  { signal, onBytes }: ExportProgress,
): Promise<ExportedFile> {
  const response = await api.syncs.export(
    {
      id: sync,
      format,
      set_aside: 'report',
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      ...(bom && format === 'csv' && { bom }),
    },
    { signal },
  );
  return exportFile(response, onBytes);
}

interface ExportDialogProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

/** The rows of a sync as a file. Nothing is saved unless it is complete. */
export function ExportDialog({ sync: { id, type }, onClose }: ExportDialogProps) {
  const [choice, setChoice] = useState<ExportChoice>({ format: 'csv', from: '', to: '', bom: false });
  const nameOf = useAccountNames();
  const [bytes, setBytes] = useState(0);
  const reading = useRef<AbortController | null>(null);
  const group = useId();
  useEffect(() => () => reading.current?.abort(), []);
  const download = useMutation({
    mutationFn: () => {
      setBytes(0);
      reading.current = new AbortController();
      return exportSync(id, choice, { signal: reading.current.signal, onBytes: setBytes });
    },
    onSuccess: ({ file }) => saveFile(file),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    download.mutate();
  };
  const formats = type === 'transactions' ? EXPORT_FORMATS : (['csv', 'jsonl'] as const);
  return (
    <Dialog title={EXPORT.title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>{EXPORT.intro}</p>
        <Fields legend={EXPORT.format}>
          {formats.map((format) => (
            <Check
              key={format}
              group={group}
              label={EXPORT.formats[format]}
              checked={choice.format === format}
              onChange={() => setChoice({ ...choice, format })}
            />
          ))}
        </Fields>
        {choice.format === 'csv' ? (
          <Check label={EXPORT.bom} checked={choice.bom} onChange={(bom) => setChoice({ ...choice, bom })} />
        ) : null}
        {type === 'holdings' ? null : (
          <div className={classes.days}>
            <TextInput
              type="date"
              label={EXPORT.from}
              description={EXPORT.fromHint}
              value={choice.from}
              onChange={({ currentTarget }) => setChoice({ ...choice, from: currentTarget.value })}
            />
            <TextInput
              type="date"
              label={EXPORT.to}
              description={EXPORT.toHint}
              value={choice.to}
              onChange={({ currentTarget }) => setChoice({ ...choice, to: currentTarget.value })}
            />
          </div>
        )}
        {download.error === null || reading.current?.signal.aborted === true ? null : (
          <Problem error={download.error} title={EXPORT.failed} />
        )}
        <p className={classes.hint} role="status">
          {download.isPending
            ? EXPORT.reading(bytesText(bytes))
            : download.data === undefined
              ? ''
              : EXPORT.done(download.data.file.name)}
        </p>
        {(download.data?.lacking ?? []).map(({ account, rows }) => (
          <p key={account} className={classes.hint} role="status">
            {ROWS_ASIDE.notInFile(rows, nameOf(account))}
          </p>
        ))}
        <DialogActions>
          {download.isPending ? (
            <Button variant="default" onClick={() => reading.current?.abort()}>
              {EXPORT.stop}
            </Button>
          ) : (
            <Button variant="default" onClick={onClose}>
              {PROBLEMS.close}
            </Button>
          )}
          <Button type="submit" loading={download.isPending}>
            {EXPORT.action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
