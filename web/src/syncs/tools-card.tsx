import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Sync } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { me } from '../api/me.ts';
import { dayIn, dayText } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { CancelButton, ConfirmDialog, Dialog, DialogActions } from '../parts/dialog.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useStillHere } from '../parts/still-here.ts';
import { DRY_RUN, VERIFY } from '../text/sync-checks.ts';
import { BACKFILL, RESYNC, SYNC, SYNCS } from '../text/syncs.ts';
import { type Check, Checking, useCheck } from './checks/check.tsx';
import { DryRunResult } from './checks/dry-run-result.tsx';
import { VerificationResult } from './checks/verification-result.tsx';
import { ExportDialog } from './export-dialog.tsx';
import classes from './syncs.module.css';

/** Tools to check whether a sync works correctly, and to repair it. */
export function ToolsCard({ sync }: { readonly sync: Sync }) {
  const [asking, setAsking] = useState<'backfill' | 'resync' | 'export' | null>(null);
  const dry = useCheck(['dry-run', sync.id], (signal) => api.syncs.dryRun({ id: sync.id }, { signal }));
  const verification = useCheck(['verification', sync.id], (signal) =>
    api.syncs.verify({ id: sync.id }, { signal }),
  );
  const close = () => setAsking(null);
  return (
    <Card title={SYNC.tools}>
      <ul className={rows.rows}>
        <CheckTool name={SYNC.dryRun} text={SYNC.toolsText.dryRun} check={dry} words={DRY_RUN}>
          {dry.result === undefined ? null : <DryRunResult dryRun={dry.result} />}
        </CheckTool>
        <CheckTool name={SYNC.verify} text={SYNC.toolsText.verify} check={verification} words={VERIFY}>
          {verification.result === undefined ? null : (
            <VerificationResult verification={verification.result} />
          )}
        </CheckTool>
        <OwnerOnly scope="syncs:write">
          {sync.type === 'holdings' || !sync.enabled ? null : (
            <Tool
              name={SYNC.backfill}
              text={SYNC.toolsText.backfill}
              action={
                <Button variant="default" onClick={() => setAsking('backfill')}>
                  {SYNC.backfill}
                </Button>
              }
            />
          )}
          {sync.enabled ? (
            <Tool
              name={SYNC.resync}
              text={SYNC.toolsText.resync}
              action={
                <Button variant="default" onClick={() => setAsking('resync')}>
                  {SYNC.resync}
                </Button>
              }
            />
          ) : null}
        </OwnerOnly>
        <Tool
          name={SYNC.export}
          text={SYNC.toolsText.export}
          action={
            <Button variant="default" onClick={() => setAsking('export')}>
              {SYNC.export}
            </Button>
          }
        />
      </ul>
      {asking === 'backfill' ? <BackfillDialog sync={sync} onClose={close} /> : null}
      {asking === 'resync' ? <ResyncDialog sync={sync} onClose={close} /> : null}
      {asking === 'export' ? <ExportDialog sync={sync} onClose={close} /> : null}
    </Card>
  );
}

interface ToolProps {
  readonly name: string;
  readonly text: string;
  readonly action: ReactNode;
  readonly children?: ReactNode;
}

function Tool({ name, text, action, children }: ToolProps) {
  return (
    <li className={classes.tool}>
      <div className={classes.toolHead}>
        <div className={classes.toolWords}>
          <p className={classes.toolName}>{name}</p>
          <p className={classes.hint}>{text}</p>
        </div>
        {action}
      </div>
      {children}
    </li>
  );
}

interface CheckToolProps<T> {
  readonly name: string;
  readonly text: string;
  readonly check: Check<T>;
  readonly words: Readonly<Record<'action' | 'again' | 'reading' | 'stop' | 'failed', string>>;
  readonly children: ReactNode;
}

/** A read that starts on request, with its result below. */
function CheckTool<T>({ name, text, check, words, children }: CheckToolProps<T>) {
  const { busy, result, error, start, stop } = check;
  return (
    <Tool
      name={name}
      text={text}
      action={
        busy ? null : (
          <Button variant="default" onClick={start}>
            {result === undefined ? words.action : words.again}
          </Button>
        )
      }
    >
      {busy ? <Checking text={words.reading} stop={words.stop} onStop={stop} /> : null}
      {error === null ? null : <Problem error={error} title={words.failed} />}
      {children}
    </Tool>
  );
}

interface ResyncDialogProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

/** Explains a resync before starting it, and then follows the run. */
function ResyncDialog({ sync: { id, name, options, destination }, onClose }: ResyncDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const start = useMutation({
    mutationFn: () => api.syncs.resync({ id, confirm: true }),
    onMutate: stillHere,
    onSuccess: async ({ id: started }, _, isHere) => {
      if (isHere()) await navigate({ to: APP_PATHS.syncRun, params: { id: started } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['syncs'] }),
  });
  return (
    <ConfirmDialog
      title={RESYNC.title(name)}
      action={RESYNC.action}
      busy={start.isPending}
      onConfirm={start.mutate}
      onClose={onClose}
    >
      {start.error === null ? null : <Problem error={start.error} title={SYNCS.failed.resync(name)} />}
      <p>{RESYNC.does(dayText(options.data_from))}</p>
      <ul className={classes.does}>
        <li>{DESTINATION_KINDS[destination.type].connects === 'url' ? RESYNC.webhook : RESYNC.known}</li>
        <li>{RESYNC.run}</li>
      </ul>
    </ConfirmDialog>
  );
}

interface BackfillDialogProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

const DAYS = 30;

/** Reads a range of days again, and then follows the run. */
function BackfillDialog({ sync: { id, name, options }, onClose }: BackfillDialogProps) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const first = options.data_from;
  const usual = dayIn(zone, -DAYS);
  const [from, setFrom] = useState(usual < first ? first : usual);
  const [to, setTo] = useState(dayIn(zone));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const start = useMutation({
    mutationFn: () => api.syncs.backfill({ id, from, to }),
    onMutate: stillHere,
    onSuccess: async ({ id: started }, _, isHere) => {
      if (isHere()) await navigate({ to: APP_PATHS.syncRun, params: { id: started } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['syncs'] }),
  });
  const wrong = from > to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong) start.mutate();
  };
  return (
    <Dialog title={BACKFILL.title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {start.error === null ? null : <Problem error={start.error} title={SYNCS.failed.backfill(name)} />}
        <p>{BACKFILL.intro}</p>
        <div className={classes.days}>
          <TextInput
            type="date"
            label={BACKFILL.from}
            value={from}
            min={first}
            error={wrong ? BACKFILL.order : undefined}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="date"
            label={BACKFILL.to}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </div>
        <p className={classes.hint}>{BACKFILL.hint(dayText(first))}</p>
        <DialogActions>
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={start.isPending} disabled={wrong || from === '' || to === ''}>
            {BACKFILL.action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
