import type { DryRun, DryRunRow } from '#client';
import { useAccountNames } from '../../api/accounts.ts';
import { dayText } from '../../format/moments.ts';
import { moneyText } from '../../format/money.ts';
import { keyed } from '../../parts/keyed.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { DRY_RUN } from '../../text/sync-checks.ts';
import { ACCOUNT_FAILURES, SYNC_RUN } from '../../text/sync-runs.ts';
import { useFirstRows } from './check.tsx';
import classes from './sync-checks.module.css';

const TONES: Readonly<Record<DryRunRow['action'], Tone>> = {
  add: 'good',
  update: 'warn',
  remove: 'bad',
  skip: 'idle',
};

/** What the next run would do: exact counts by account, and the rows. */
export function DryRunResult({ dryRun: { accounts, data, truncated } }: { readonly dryRun: DryRun }) {
  const nameOf = useAccountNames();
  const { shown, more } = useFirstRows(data);
  const sum = (count: 'added' | 'updated' | 'removed' | 'skipped_by_rules' | 'unchanged' | 'unreadable') =>
    accounts.reduce((total, one) => total + one[count], 0);
  const changes = sum('added') + sum('updated') + sum('removed');
  return (
    <div className={classes.result} role="status">
      <p className={classes.headline}>{changes === 0 ? DRY_RUN.nothing : wordsOf(sum)}</p>
      {sum('unreadable') === 0 ? null : (
        <p className={classes.text}>{DRY_RUN.unreadable(sum('unreadable'))}</p>
      )}
      {sum('unchanged') === 0 ? null : (
        <p className={classes.text}>
          {changes === 0 ? DRY_RUN.nothingText(sum('unchanged')) : DRY_RUN.unchanged(sum('unchanged'))}
        </p>
      )}
      <ul className={classes.list}>
        {accounts.map((line) => (
          <li key={line.account} className={classes.line}>
            <div className={classes.words}>{nameOf(line.account)}</div>
            <div className={line.failure === null ? classes.detail : classes.bad}>
              {line.failure === null
                ? [
                    ...(line.unreadable === 0 ? [] : [DRY_RUN.unreadable(line.unreadable)]),
                    DRY_RUN.summary(line.added, line.updated, line.removed, line.skipped_by_rules),
                  ].join(' · ')
                : (ACCOUNT_FAILURES[line.failure.code] ?? SYNC_RUN.unknownFailure(line.failure.code))}
            </div>
          </li>
        ))}
      </ul>
      {data.length === 0 ? null : (
        <>
          <ul className={classes.list} aria-label={DRY_RUN.rows}>
            {keyed(shown, ({ action, account, id }) => `${action} ${account} ${id}`).map(([key, row]) => (
              <Row key={key} row={row} account={nameOf(row.account)} />
            ))}
          </ul>
          {more}
        </>
      )}
      {truncated ? <p className={classes.text}>{DRY_RUN.truncated(data.length)}</p> : null}
    </div>
  );
}

function wordsOf(sum: (count: 'added' | 'updated' | 'removed' | 'skipped_by_rules') => number): string {
  return DRY_RUN.summary(sum('added'), sum('updated'), sum('removed'), sum('skipped_by_rules'));
}

function Row({ row, account }: { readonly row: DryRunRow; readonly account: string }) {
  const { day, name, figure } = contentsOf(row);
  const notes = [
    account,
    ...(row.memo === null ? [] : [DRY_RUN.memo(row.memo)]),
    ...(row.tags.length === 0 ? [] : [DRY_RUN.tags(row.tags.join(', '))]),
    ...(row.rules.length === 0 ? [] : [DRY_RUN.rules(row.rules.length)]),
  ];
  return (
    <li className={classes.row}>
      <div>
        <StatusBadge tone={TONES[row.action]}>{DRY_RUN.action_of[row.action]}</StatusBadge>
      </div>
      <div className={classes.words}>
        <div>{name}</div>
        <div className={classes.detail}>{[day, ...notes].filter((note) => note !== '').join(' · ')}</div>
      </div>
      <div className={classes.figure}>{figure}</div>
    </li>
  );
}

interface Contents {
  readonly day: string;
  readonly name: string;
  readonly figure: string;
}

function contentsOf({ transaction, trade, holding }: DryRunRow): Contents {
  if (transaction !== null) {
    const { date, description, merchant_name: merchant, amount } = transaction;
    return {
      day: date === null ? DRY_RUN.noDay : dayText(date),
      name: merchant ?? description,
      figure: moneyText(BigInt(amount.amount), amount.currency, 'always'),
    };
  }
  if (trade !== null) {
    const total = trade.total_amount;
    return {
      day: dayText(trade.trade_date),
      name: [trade.type, trade.symbol ?? trade.name ?? trade.description]
        .filter((part) => part !== null)
        .join(' '),
      figure: total === null ? (trade.quantity ?? '') : moneyText(BigInt(total.amount), total.currency),
    };
  }
  if (holding !== null) {
    const value = holding.market_value;
    return {
      day: '',
      name: holding.name ?? holding.symbol ?? holding.id,
      figure: value === null ? holding.quantity : moneyText(BigInt(value.amount), value.currency),
    };
  }
  return { day: '', name: DRY_RUN.removed, figure: '' };
}
