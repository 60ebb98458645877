import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { RulesetPreview } from '#client';
import { numberText } from '../../format/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PREVIEW } from '../../text/rules.ts';
import { filtered, type PreviewFilter } from './preview-changes.ts';
import { PreviewRow } from './preview-row.tsx';
import { nameOf } from './rule-order.ts';
import classes from './ruleset.module.css';
import { useRuleWorld } from './use-rule-world.ts';

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
  const { names } = useRuleWorld();
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
