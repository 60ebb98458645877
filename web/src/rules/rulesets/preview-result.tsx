import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { RulesetPreview, RulesetPreviewRow } from '#client';
import { dayText } from '../../format/moments.ts';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PREVIEW } from '../../text/rules.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';
import type { RuleNames } from './reading.ts';
import { nameOf } from './rule-order.ts';
import classes from './ruleset.module.css';
import { useRuleReferences } from './use-rule-references.ts';

interface PreviewResultProps {
  readonly preview: RulesetPreview;
  /** Which of the rules is being edited, if any. */
  readonly place: number | null;
  /** The rules are no longer those that were tried. */
  readonly isStale: boolean;
}

const FILTERS: readonly PreviewFilter[] = ['this', 'matched', 'all'];

/** How often each rule matched, and each row before and after. */
export function PreviewResult({ preview, place, isStale }: PreviewResultProps) {
  const { totals, rules, truncated } = preview;
  const { names } = useRuleReferences();
  const [filter, setFilter] = useState<PreviewFilter>(place === null ? 'matched' : 'this');
  const rows = filtered(preview.rows, filter, place);
  return (
    <div className={classes.result}>
      <div className={classes.resultHead}>
        <p role="status">
          {PREVIEW.totals(totals.rows, totals.matched, totals.changed, totals.skipped)}
          {truncated ? ` ${PREVIEW.truncated}` : ''}
        </p>
        {isStale ? <StatusBadge tone="warn">{PREVIEW.stale}</StatusBadge> : null}
      </div>
      <table className={classes.ruleHits}>
        <caption>{PREVIEW.hits}</caption>
        <thead>
          <tr>
            <th scope="col">{PREVIEW.rule}</th>
            <th scope="col">{PREVIEW.matched}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ position, hits }) => (
            <tr key={position}>
              <th scope="row">
                {nameOf(rules, position)}
                {position === place ? ` (${PREVIEW.thisRule})` : ''}
              </th>
              <td>{numberText(hits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals.rows === 0 ? (
        <p className={classes.hint}>{`${PREVIEW.none}. ${PREVIEW.noneText}`}</p>
      ) : (
        <NativeSelect
          className={classes.show ?? ''}
          label={PREVIEW.show}
          value={filter}
          data={FILTERS.filter((one) => one !== 'this' || place !== null).map((value) => ({
            value,
            label: PREVIEW.filters[value],
          }))}
          onChange={({ currentTarget }) =>
            setFilter(FILTERS.find((one) => one === currentTarget.value) ?? 'all')
          }
        />
      )}
      {rows.length === 0 && totals.rows > 0 ? (
        <p className={classes.hint}>{`${PREVIEW.noMatch}. ${PREVIEW.noMatchText}`}</p>
      ) : null}
      <ul className={classes.previewRows} aria-label={PREVIEW.rows}>
        {rows.map((row) => (
          <PreviewRow
            key={row.before.id}
            row={row}
            names={names}
            rules={row.rules.map(({ position }) => nameOf(rules, position))}
          />
        ))}
      </ul>
    </div>
  );
}

interface PreviewRowProps {
  readonly row: RulesetPreviewRow;
  readonly names: RuleNames;
  /** The names of the rules that acted on it. */
  readonly rules: readonly string[];
}

const money = (amount: number, currency: string) => moneyText(BigInt(amount), currency, 'always');

/** A row as the bank shows it, and what the rules make of it, member by member. */
function PreviewRow({ row, names, rules }: PreviewRowProps) {
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

type ChangedField = 'description' | 'merchant' | 'reference' | 'amount' | 'category' | 'memo' | 'tags';

/** A member of a row before and after; null means nothing. */
interface Change {
  readonly field: ChangedField;
  readonly before: string | null;
  readonly after: string | null;
}

interface Words {
  readonly category: (id: string) => string;
  readonly money: (amount: number, currency: string) => string;
}

/** What rules changed of a row, member by member. Nothing for a row that is skipped. */
function changesOf({ before, after, memo, tags }: RulesetPreviewRow, words: Words): readonly Change[] {
  if (after === null) return [];
  const category = (id: string | null) => (id === null ? null : words.category(id));
  const all: readonly Change[] = [
    { field: 'description', before: before.description, after: after.description },
    { field: 'merchant', before: before.merchant_name, after: after.merchant_name },
    { field: 'reference', before: before.reference, after: after.reference },
    {
      field: 'amount',
      before: words.money(before.amount.amount, before.amount.currency),
      after: words.money(after.amount.amount, after.amount.currency),
    },
    { field: 'category', before: category(before.category), after: category(after.category) },
    { field: 'memo', before: null, after: memo },
    { field: 'tags', before: null, after: tags.length === 0 ? null : tags.join(', ') },
  ];
  return all.filter((one) => one.before !== one.after);
}

type PreviewFilter = 'this' | 'matched' | 'all';

/** The rows to show. `place`: that of the rule being edited, for the filter `this`. */
function filtered(
  rows: readonly RulesetPreviewRow[],
  filter: PreviewFilter,
  place: number | null,
): readonly RulesetPreviewRow[] {
  if (filter === 'all') return rows;
  if (filter === 'matched' || place === null) return rows.filter(({ rules }) => rules.length > 0);
  return rows.filter(({ rules }) => rules.some(({ position }) => position === place));
}
