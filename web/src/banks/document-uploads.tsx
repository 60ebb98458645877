import { ActionIcon, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type Document } from '#client';
import { appUrl } from '../api/app-url.ts';
import { documents, uploadDocument } from '../api/documents.ts';
import { bytesText } from '../format/numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useStillHere } from '../parts/still-here.ts';
import { PROBLEMS } from '../text/problems.ts';
import { STATEMENT_FILES } from '../text/statement-files.ts';
import classes from './statement-files.module.css';

/** `document_bytes` in docs/limits.md; an installation may allow less, which the service says. */
const MOST_BYTES = 10_000_000;
const TYPES = '.ofx,.qfx,.qif,.csv,.txt,.tsv,.xml,.camt,.053,.052,.sta,.mt940,.940,.942,.swi';

/** A file that is on its way; it leaves the list once it is uploaded. */
interface Upload {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'refused' | 'failed';
  readonly error: unknown;
}

interface DocumentUploadsProps {
  /** The account they belong to, if the person came from one. */
  readonly account: { readonly id: string; readonly name: string } | null;
  /** Called with the document if a single file was chosen, and the person is still on the page. */
  readonly onUploaded: (document: Document) => void;
}

/** Where files are dropped or chosen, what is stored of them, and how their uploads go, each by its own line. */
export function DocumentUploads({ account, onUploaded }: DocumentUploadsProps) {
  const input = useRef<HTMLInputElement>(null);
  const { uploads, add, again, remove } = useUploads(account?.id, onUploaded);
  const isOver = useDroppedFiles(add);
  return (
    <>
      <section className={classes.kept} aria-label={STATEMENT_FILES.kept}>
        <Icon name="shield" size={20} />
        <div className={classes.keptWords}>
          <p className={classes.keptTitle}>{STATEMENT_FILES.kept}</p>
          <p>{STATEMENT_FILES.keptText}</p>
          <a href={appUrl('docs/statement-files').href} target="_blank" rel="noreferrer">
            {STATEMENT_FILES.guide}
          </a>
        </div>
      </section>
      <div className={classes.drop} data-over={isOver}>
        <p className={classes.dropTitle}>{STATEMENT_FILES.drop}</p>
        <p className={classes.dropHint}>{STATEMENT_FILES.formats(bytesText(MOST_BYTES))}</p>
        {account === null ? null : <p className={classes.dropHint}>{STATEMENT_FILES.goInto(account.name)}</p>}
        <Button leftSection={<Icon name="plus" />} onClick={() => input.current?.click()}>
          {STATEMENT_FILES.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={TYPES}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            // The same file can be chosen again.
            currentTarget.value = '';
          }}
        />
      </div>
      {/* It is there before it says anything, or it would not be announced. */}
      <ul className={classes.uploads} aria-label={STATEMENT_FILES.uploads} aria-live="polite">
        {uploads.map((upload) => (
          <li key={upload.key}>
            <UploadLine upload={upload} onAgain={() => again(upload)} onRemove={() => remove(upload)} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface UploadLineProps {
  readonly upload: Upload;
  readonly onAgain: () => void;
  readonly onRemove: () => void;
}

function UploadLine({ upload: { file, state, error }, onAgain, onRemove }: UploadLineProps) {
  if (state === 'failed')
    return (
      <div className={classes.failed}>
        <Problem
          error={error}
          title={STATEMENT_FILES.failed.upload(file.name)}
          // The same file is no statement the next time either.
          {...(isUnusable(error) ? {} : { again: onAgain })}
        />
        <RemoveButton name={file.name} onRemove={onRemove} />
      </div>
    );
  const isRefused = state === 'refused';
  const why =
    file.size === 0
      ? STATEMENT_FILES.empty
      : STATEMENT_FILES.tooLarge(bytesText(file.size), bytesText(MOST_BYTES));
  return (
    <div className={isRefused ? `${rows.row} ${classes.refused}` : rows.row}>
      {isRefused ? <Icon name="warning" /> : null}
      <div className={rows.words}>
        <p className={rows.name}>{isRefused ? STATEMENT_FILES.failed.upload(file.name) : file.name}</p>
        <p className={rows.detail}>
          {isRefused ? why : state === 'sending' ? STATEMENT_FILES.sending : STATEMENT_FILES.waiting}
        </p>
      </div>
      {isRefused ? <RemoveButton name={file.name} onRemove={onRemove} /> : null}
    </div>
  );
}

function isUnusable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'document_unusable';
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={STATEMENT_FILES.remove(name)}
      title={PROBLEMS.dismiss}
      onClick={onRemove}
    >
      <Icon name="close" />
    </ActionIcon>
  );
}

let keys = 0;

/** Sends files one after another: the service reads one file of an account record at a time. */
function useUploads(account: string | undefined, onUploaded: (document: Document) => void) {
  const queries = useQueryClient();
  const stillHere = useStillHere();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = ({ key }: Upload, what: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...what } : one)));
  const remove = ({ key }: Upload) => setUploads((all) => all.filter((one) => one.key !== key));
  const send = useMutation({
    scope: { id: 'documents' },
    mutationFn: ({ upload }: { readonly upload: Upload; readonly alone: boolean }) => {
      change(upload, { state: 'sending' });
      return uploadDocument(upload.file, account);
    },
    onMutate: stillHere,
    onSuccess: async (made, { upload, alone }, isHere) => {
      queries.setQueryData(documents.queryKey, (known) =>
        known === undefined ? known : [made, ...known.filter(({ id }) => id !== made.id)],
      );
      queries.removeQueries({ queryKey: ['document-preview', made.id] });
      remove(upload);
      if (alone && isHere()) onUploaded(made);
    },
    onError: (error, { upload }) => change(upload, { state: 'failed', error }),
    onSettled: () => queries.invalidateQueries({ queryKey: documents.queryKey }),
  });
  const add = (files: readonly File[]) => {
    const added = files.map((file): Upload => {
      keys += 1;
      const fits = file.size > 0 && file.size <= MOST_BYTES;
      return { key: keys, file, state: fits ? 'waiting' : 'refused', error: null };
    });
    setUploads((all) => [...all, ...added]);
    const fitting = added.filter(({ state }) => state === 'waiting');
    for (const upload of fitting) send.mutate({ upload, alone: added.length === 1 && uploads.length === 0 });
  };
  const again = (upload: Upload) => {
    change(upload, { state: 'waiting', error: null });
    send.mutate({ upload, alone: false });
  };
  return { uploads, add, again, remove };
}

/**
 * Takes files that are dropped anywhere on the page: beside a marked area, the browser would open the file in place of
 * the page. True while files are dragged over it.
 */
function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent) =>
      [...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === 'file');
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
