import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Sync } from '#client';
import { api } from '../../api/client.ts';
import { Card } from '../../parts/card.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { DRY_RUN, VERIFY } from '../../text/sync-checks.ts';
import { SYNC } from '../../text/syncs.ts';
import { Checking } from '../sync-checks/checking.tsx';
import { DryRunResult } from '../sync-checks/dry-run-result.tsx';
import { type Check, useCheck } from '../sync-checks/use-check.ts';
import { VerificationResult } from '../sync-checks/verification-result.tsx';
import { BackfillDialog } from './backfill-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ResyncDialog } from './resync-dialog.tsx';
import classes from './sync.module.css';

/** Ways to see whether a sync does what it should, and to put right what it does not. */
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

/** Something that is read only when asked for, with its result below. */
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
