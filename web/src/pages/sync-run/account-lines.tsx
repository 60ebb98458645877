import type { SyncRun } from '#client';
import { useAccountNames } from '../../api/accounts.ts';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { ACCOUNT_FAILURES, SYNC_RUN, unknownFailure } from '../../text/sync-runs.ts';
import classes from './sync-run.module.css';

type Line = NonNullable<SyncRun['account_results']>[number];

const TONES: Readonly<Record<Line['status'], Tone>> = {
  waiting: 'idle',
  succeeded: 'good',
  failed: 'bad',
  incomplete: 'warn',
};

/** What became of each account in a run. */
export function AccountLines({ lines }: { readonly lines: readonly Line[] }) {
  const nameOf = useAccountNames();
  if (lines.length === 0) return <p className={classes.note}>{SYNC_RUN.noLines}</p>;
  return (
    <ul className={rows.rows}>
      {lines.map((line) => (
        <li key={line.account} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>{nameOf(line.account)}</p>
            <p className={rows.detail}>{deliveredIn(line)}</p>
            {line.failure === null ? null : (
              <p className={`${rows.detail} ${classes.lineBad}`}>
                {ACCOUNT_FAILURES[line.failure.code] ?? unknownFailure(line.failure.code)}
              </p>
            )}
            {line.status === 'incomplete' ? <p className={rows.detail}>{SYNC_RUN.incompleteText}</p> : null}
          </div>
          <StatusBadge tone={TONES[line.status]}>{SYNC_RUN.account[line.status]}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}

function deliveredIn({ counts, status }: Line): string {
  const delivered = SYNC_RUN.line(counts.added, counts.updated);
  const nothing = status === 'succeeded' ? SYNC_RUN.unchanged : '';
  return [SYNC_RUN.read(counts.processed), delivered === '' ? nothing : delivered]
    .filter((part) => part !== '')
    .join(' · ');
}
