import type { Verification, VerificationProblem } from '#client';
import { useAccountNames } from '../../api/accounts.ts';
import { dayText } from '../../format/moments.ts';
import { numberText } from '../../format/numbers.ts';
import { Facts } from '../../parts/card.tsx';
import { keyed } from '../../parts/keyed.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { VERIFY } from '../../text/sync-checks.ts';
import { ACCOUNT_FAILURES, SYNC_RUN } from '../../text/sync-runs.ts';
import { useFirstRows } from './check.tsx';
import classes from './sync-checks.module.css';

const TONES: Readonly<Record<VerificationProblem['kind'], Tone>> = {
  missing: 'bad',
  extra: 'warn',
  different: 'warn',
  doubled: 'warn',
};

const COUNTS = [
  'bank',
  'destination',
  'alike',
  'skipped_by_rules',
  'in_doubt',
  'others',
  'unreadable',
  'not_compared',
] as const;

/** Whether the destination shows what the bank has, and each row that differs. */
export function VerificationResult({ verification }: { readonly verification: Verification }) {
  const { accounts, columns, counts, problems, data, truncated, compared_with: against } = verification;
  const nameOf = useAccountNames();
  const { shown, more } = useFirstRows(data);
  const total = problems.missing + problems.extra + problems.different + problems.doubled;
  const failed = accounts.filter((one) => one.failure !== null || refusedOf(one) > 0);
  const unread = accounts.filter(({ unreadable }) => unreadable > 0);
  const good = total === 0 && columns.length === 0 && failed.length === 0;
  return (
    <div className={classes.result} role="status">
      <p className={classes.headline}>
        {!good
          ? VERIFY.differs(total)
          : counts.unreadable > 0
            ? VERIFY.unreadable(counts.unreadable)
            : VERIFY.alike}
      </p>
      {good || counts.unreadable === 0 ? null : (
        <p className={classes.text}>{VERIFY.unreadable(counts.unreadable)}</p>
      )}
      <p className={classes.text}>
        {good
          ? against === 'record'
            ? VERIFY.recordText(counts.alike)
            : VERIFY.alikeText(counts.alike)
          : VERIFY.differsText}
      </p>
      <Facts
        facts={COUNTS.map((name) => {
          const count = counts[name];
          const hidden = count === null || (count === 0 && !['bank', 'destination', 'alike'].includes(name));
          return [VERIFY.counts[name], hidden ? null : numberText(count)] as const;
        })}
      />
      {failed.length === 0 ? null : (
        <ul className={classes.list}>
          {failed.map((one) => (
            <li key={one.account} className={classes.line}>
              <div className={classes.words}>{nameOf(one.account)}</div>
              <div className={classes.bad}>
                {one.failure === null
                  ? VERIFY.rejected(refusedOf(one))
                  : (ACCOUNT_FAILURES[one.failure.code] ?? SYNC_RUN.unknownFailure(one.failure.code))}
              </div>
            </li>
          ))}
        </ul>
      )}
      {unread.length === 0 ? null : (
        <ul className={classes.list}>
          {unread.map(({ account, unreadable }) => (
            <li key={account} className={classes.line}>
              <div className={classes.words}>{nameOf(account)}</div>
              <div className={classes.bad}>{VERIFY.unreadable(unreadable)}</div>
            </li>
          ))}
        </ul>
      )}
      {columns.length === 0 ? null : (
        <ul className={classes.list} aria-label={VERIFY.columns}>
          {columns.map(({ name, where, problem, remedy }) => (
            <li key={`${problem} ${name} ${where}`} className={classes.line}>
              <div className={classes.words}>{VERIFY.column[problem](name)}</div>
              <div className={classes.detail}>
                {[where, VERIFY.columnRemedy[remedy]].filter((part) => part !== null).join(' · ')}
              </div>
            </li>
          ))}
        </ul>
      )}
      {data.length === 0 ? null : (
        <>
          <ul className={classes.list} aria-label={VERIFY.problems}>
            {keyed(shown, ({ kind, account, id, where }) => `${kind} ${account} ${id} ${where}`).map(
              ([key, problem]) => (
                <Problem key={key} problem={problem} account={nameOf(problem.account)} />
              ),
            )}
          </ul>
          {more}
        </>
      )}
      {truncated ? <p className={classes.text}>{VERIFY.truncated(data.length)}</p> : null}
    </div>
  );
}

/** Rejected rows of the last run are also those that could not be read. */
function refusedOf({ rejected_by_last_run: rejected, unreadable }: Verification['accounts'][number]): number {
  return Math.max(0, rejected - unreadable);
}

interface ProblemProps {
  readonly problem: VerificationProblem;
  readonly account: string;
}

function Problem({
  problem: { kind, reason, remedy, date, where, refusal, fields, id },
  account,
}: ProblemProps) {
  const place = [date === null ? null : dayText(date), account, where ?? id];
  return (
    <li className={classes.row}>
      <div>
        <StatusBadge tone={TONES[kind]}>{VERIFY.kind[kind]}</StatusBadge>
      </div>
      <div className={classes.words}>
        <div>
          {VERIFY.reason[reason]} {refusal === null ? '' : VERIFY.refusal[refusal]}
        </div>
        {fields.map(({ name, expected, found }) => (
          <div key={name}>
            {VERIFY.expected(name, shownValue(expected))}, {VERIFY.found(shownValue(found))}
          </div>
        ))}
        <div className={classes.detail}>{place.filter((part) => part !== null).join(' · ')}</div>
        <div className={classes.detail}>{VERIFY.remedy[remedy]}</div>
      </div>
    </li>
  );
}

function shownValue(value: string | null): string {
  if (value === null) return VERIFY.nothing;
  return value === '' ? VERIFY.empty : VERIFY.quoted(value);
}
