import { Button, NativeSelect } from '@mantine/core';
import { useIsFetching, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account, Document, DocumentPreview, DocumentsUpdateInput } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { documentPreview, documents, oneDocument } from '../api/documents.ts';
import { me } from '../api/me.ts';
import { accountLabel, bankNamesOf } from '../format/account-names.ts';
import { momentText } from '../format/moments.ts';
import { bytesText } from '../format/numbers.ts';
import { Card, Facts } from '../parts/card.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { STATEMENT_FILE, STATEMENT_FILES } from '../text/statement-files.ts';
import { type DocumentActions, useDocumentActions } from './document-actions.tsx';
import { DocumentLayout } from './document-layout.tsx';
import { DocumentStatus } from './document-list.tsx';
import { DocumentStatements } from './document-statements.tsx';
import classes from './statement-files.module.css';

interface DocumentViewProps {
  readonly document: Document;
  readonly accounts: readonly Account[];
  readonly onGone: () => void;
}

/** One file: what is in it and what will happen, or what was taken from it. */
export function DocumentView({ document: shown, accounts, onGone }: DocumentViewProps) {
  const actions = useDocumentActions(shown, onGone);
  const isTaken = shown.status === 'taken';
  return (
    <Page
      title={shown.name}
      actions={
        <>
          <DocumentStatus document={shown} />
          <Button variant="default" loading={actions.busy === 'download'} onClick={actions.download}>
            {STATEMENT_FILES.download}
          </Button>
          <OwnerOnly scope="connections:write">
            {isTaken ? (
              <Button variant="default" loading={actions.busy === 'undo'} onClick={actions.undo}>
                {STATEMENT_FILES.undo}
              </Button>
            ) : null}
            <Button variant="default" onClick={actions.askToDelete}>
              {STATEMENT_FILES.delete}
            </Button>
          </OwnerOnly>
        </>
      }
    >
      {actions.outcome}
      {isTaken ? (
        <Taken document={shown} accounts={accounts} />
      ) : (
        <Previewed document={shown} accounts={accounts} actions={actions} />
      )}
      {actions.dialog}
    </Page>
  );
}

/** Saves what the owner says about a file; the preview follows. */
function useSettings({ id }: Document) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ['document', id],
    // One after another, so that the last choice is the one that is saved last.
    scope: { id: `document ${id}` },
    mutationFn: (settings: Omit<DocumentsUpdateInput, 'id'>) => api.documents.update({ id, ...settings }),
    onSuccess: (saved) => {
      queries.setQueryData(oneDocument(id).queryKey, saved);
      queries.invalidateQueries({ queryKey: documents.queryKey, exact: true });
    },
  });
}

interface PreviewedProps {
  readonly document: Document;
  readonly accounts: readonly Account[];
  readonly actions: DocumentActions;
}

function Previewed({ document: shown, accounts, actions }: PreviewedProps) {
  const { id } = shown;
  const queries = useQueryClient();
  const asked = documentPreview(id);
  const preview = useQuery(asked);
  const settings = useSettings(shown);
  const [complete, setComplete] = useState(true);
  const isReading = useIsFetching({ queryKey: asked.queryKey }) > 0;
  const isSaving = useIsMutating({ mutationKey: ['document', id] }) > 0;
  const follow = () => queries.invalidateQueries({ queryKey: asked.queryKey });
  const { data } = preview;
  const isCurrent =
    !isReading && !isSaving && preview.error === null && complete && data?.csv?.layout !== null;
  return (
    <>
      {settings.error === null ? null : (
        <Problem error={settings.error} title={STATEMENT_FILES.failed.save} />
      )}
      <OwnerOnly scope="connections:write">
        <Card title={STATEMENT_FILE.plan}>
          <div className={classes.plan}>
            <div className={classes.choices}>
              <AccountField
                document={shown}
                accounts={accounts}
                preview={data ?? null}
                onChange={(account) => {
                  // What was chosen for the columns of a file of another account is gone.
                  setComplete(true);
                  settings.mutate({ account }, { onSuccess: follow });
                }}
              />
              <RetentionField document={shown} onChange={(days) => settings.mutate({ retain_days: days })} />
            </div>
            <div className={classes.take}>
              <p className={classes.adds} role="status">
                {data === undefined || isReading || isSaving
                  ? preview.error === null
                    ? STATEMENT_FILE.reading
                    : ''
                  : isCurrent
                    ? STATEMENT_FILE.adds(newRowsOf(data))
                    : ''}
              </p>
              <Button
                loading={actions.busy === 'take'}
                disabled={data === undefined || !isCurrent}
                onClick={actions.take}
              >
                {data !== undefined && isCurrent
                  ? STATEMENT_FILE.take(newRowsOf(data))
                  : STATEMENT_FILE.takeRows}
              </Button>
            </div>
          </div>
        </Card>
      </OwnerOnly>
      {preview.error === null ? null : (
        <Problem error={preview.error} title={STATEMENT_FILES.failed.preview} again={preview.refetch} />
      )}
      {data === undefined ? (
        preview.error === null ? (
          <LoadingRows count={6} />
        ) : null
      ) : (
        <>
          {data.csv === null ? null : (
            <OwnerOnly scope="connections:write">
              <DocumentLayout
                // Another account may have a layout of its own.
                key={shown.account}
                csv={data.csv}
                isOwn={shown.layout !== null}
                onComplete={setComplete}
                onChange={async (layout) => {
                  await settings.mutateAsync({ layout }).catch(() => undefined);
                  await follow();
                  return queries.getQueryData(asked.queryKey)?.csv ?? null;
                }}
              />
            </OwnerOnly>
          )}
          <div
            aria-busy={isReading || isSaving}
            className={isReading || isSaving ? classes.stale : undefined}
          >
            <DocumentStatements preview={data} accounts={accounts} />
          </div>
        </>
      )}
    </>
  );
}

function newRowsOf({ statements }: DocumentPreview): number {
  return statements.reduce((sum, { new_rows: rows }) => sum + rows, 0);
}

interface AccountFieldProps {
  readonly document: Document;
  readonly accounts: readonly Account[];
  readonly preview: DocumentPreview | null;
  readonly onChange: (account: string | null) => void;
}

const NO_ACCOUNT = '';

/** Which account the file belongs to. Where it has several accounts, their numbers decide. */
function AccountField({ document: { account }, accounts, preview, onChange }: AccountFieldProps) {
  const statements = preview?.statements ?? [];
  if (account === null && statements.length > 1)
    return <p className={classes.several}>{STATEMENT_FILE.several(statements.length)}</p>;
  const fitting = accounts.filter(({ category }) => category !== 'brokerage');
  const names = bankNamesOf(accounts);
  const isNumbered = statements.some(({ account_number: number }) => number !== null);
  // Files first: most files belong to an account of earlier ones.
  const groups = [...Map.groupBy(fitting, ({ connection }) => connection)]
    .toSorted(([, [a]], [, [b]]) => Number(a?.category === 'banking') - Number(b?.category === 'banking'))
    .map(([connection, members]) => ({
      group: names.get(connection) ?? '',
      items: members.map((one) => ({ value: one.id, label: accountLabel(one) })),
    }));
  return (
    <NativeSelect
      label={STATEMENT_FILE.account}
      value={account ?? NO_ACCOUNT}
      data={[
        {
          value: NO_ACCOUNT,
          label: isNumbered ? STATEMENT_FILE.byNumber : STATEMENT_FILE.newAccount,
        },
        ...groups,
      ]}
      onChange={({ currentTarget: { value } }) => onChange(value === NO_ACCOUNT ? null : value)}
    />
  );
}

const NEVER = 'never';
const RETENTIONS = [0, 7, 30, 90, 365] as const;

interface RetentionFieldProps {
  readonly document: Document;
  readonly onChange: (days: number | null) => void;
}

/** How long the file is kept after it was delivered. */
function RetentionField({ document: { retain_days: days }, onChange }: RetentionFieldProps) {
  const choices = [...new Set([...RETENTIONS, ...(days === null ? [] : [days])])].toSorted((a, b) => a - b);
  const { retentions } = STATEMENT_FILE;
  return (
    <NativeSelect
      label={STATEMENT_FILE.retention}
      value={days === null ? NEVER : String(days)}
      data={[
        ...choices.map((one) => ({
          value: String(one),
          label: one === 0 ? retentions.atOnce : retentions.after(one),
        })),
        { value: NEVER, label: retentions.never },
      ]}
      onChange={({ currentTarget: { value } }) => onChange(value === NEVER ? null : Number(value))}
    />
  );
}

function Taken({ document: shown, accounts }: Omit<PreviewedProps, 'actions'>) {
  const { data: record } = useQuery(me);
  const settings = useSettings(shown);
  const { parts, format, bytes, taken_at: taken, delivered_at: delivered } = shown;
  const zone = record?.timezone ?? 'UTC';
  return (
    <>
      {settings.error === null ? null : (
        <Problem error={settings.error} title={STATEMENT_FILES.failed.save} />
      )}
      <Card title={STATEMENT_FILE.taken} aside={`${format.toUpperCase()} · ${bytesText(bytes)}`}>
        {parts.length === 0 ? <p className={classes.inside}>{STATEMENT_FILE.takenNone}</p> : null}
        <ul className={rows.rows}>
          {parts.map(({ account, rows: count, live_rows: live }) => {
            const into = accounts.find(({ id }) => id === account);
            return (
              <li key={account} className={rows.row}>
                <div className={rows.words}>
                  <p className={rows.name}>
                    <Link to={APP_PATHS.account} params={{ id: account }} className={rows.link}>
                      {STATEMENT_FILES.rowsIn(count, into === undefined ? '' : accountLabel(into))}
                    </Link>
                  </p>
                  {live === 0 ? null : <p className={rows.detail}>{STATEMENT_FILES.liveRows(live)}</p>}
                </div>
              </li>
            );
          })}
        </ul>
        <Facts
          facts={[
            [STATEMENT_FILE.takenAt, taken === null ? null : momentText(taken, zone)],
            [
              STATEMENT_FILE.delivered,
              delivered === null ? STATEMENT_FILE.notDelivered : momentText(delivered, zone),
            ],
          ]}
        />
        <OwnerOnly scope="connections:write">
          <div className={`${classes.plan} ${classes.narrow}`}>
            <RetentionField document={shown} onChange={(days) => settings.mutate({ retain_days: days })} />
          </div>
        </OwnerOnly>
      </Card>
    </>
  );
}
