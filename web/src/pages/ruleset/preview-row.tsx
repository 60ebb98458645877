import type { RulesetPreviewRow } from '#client';
import { dayText } from '../../format/moments.ts';
import { moneyText } from '../../format/money.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PREVIEW } from '../../text/rules.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';
import { changesOf } from './preview-changes.ts';
import type { RuleNames } from './reading.ts';
import classes from './ruleset.module.css';

interface PreviewRowProps {
  readonly row: RulesetPreviewRow;
  readonly names: RuleNames;
  /** The names of the rules that acted on it. */
  readonly rules: readonly string[];
}

const money = (amount: number, currency: string) => moneyText(BigInt(amount), currency, 'always');

/** A row as the bank shows it, and what the rules make of it, member by member. */
export function PreviewRow({ row, names, rules }: PreviewRowProps) {
  const { before, skipped } = row;
  const changes = changesOf(row, { category: names.category, money });
  const isQuiet = changes.length === 0 && !skipped;
  return (
    <li className={classes.previewRow}>
      <div className={classes.previewHead}>
        <span className={skipped ? `${classes.words} ${classes.gone}` : classes.words}>
          <span className={classes.previewName}>{before.merchant_name ?? before.description}</span>
          <span className={classes.hint}>
            {[
              before.date === null ? TRANSACTIONS.pending : dayText(before.date),
              before.merchant_name === null ? null : before.description,
              before.category === null ? null : names.category(before.category),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </span>
        </span>
        <span className={classes.amount}>{money(before.amount.amount, before.amount.currency)}</span>
        {skipped ? (
          <StatusBadge tone="warn">{PREVIEW.skipped}</StatusBadge>
        ) : isQuiet ? (
          <StatusBadge tone="idle">
            {rules.length === 0 ? PREVIEW.unchanged : PREVIEW.matchedUnchanged}
          </StatusBadge>
        ) : (
          <StatusBadge tone="good">{PREVIEW.changed}</StatusBadge>
        )}
      </div>
      {changes.length === 0 ? null : (
        <dl className={classes.changes}>
          {changes.map((change) => (
            <div key={change.field} className={classes.change}>
              <dt>{PREVIEW.fields[change.field]}</dt>
              <dd>
                {change.before === null ? (
                  <span className={classes.was}>{PREVIEW.nothing}</span>
                ) : (
                  <del className={classes.was}>{change.before}</del>
                )}
                <span className={classes.arrow} aria-hidden="true">
                  →
                </span>
                <ins className={classes.becomes}>{change.after ?? PREVIEW.nothing}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {rules.length === 0 ? null : <p className={classes.by}>{PREVIEW.by(rules)}</p>}
    </li>
  );
}
