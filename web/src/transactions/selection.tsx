import { ActionIcon, Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Transaction } from '#client';
import { moneyText, totals } from '../format/money.ts';
import { Icon } from '../parts/icon.tsx';
import { SELECTION, TRANSACTION } from '../text/transactions.ts';
import classes from './transactions.module.css';

export interface Selection {
  readonly has: (id: string) => boolean;
  /** The selected rows among those that are shown. */
  readonly chosen: readonly Transaction[];
  /** Selects or deselects a row; with `range`, all from the last one to this one. */
  readonly toggle: (id: string, range: boolean) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Which of the rows are selected. @param rows in the order of the list */
export function useSelection(rows: readonly Transaction[]): Selection {
  const [ids, setIds] = useState(NONE);
  const [last, setLast] = useState<string | null>(null);
  const chosen = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [rows, ids]);
  return useMemo(
    () => ({
      has: (id) => ids.has(id),
      chosen,
      toggle: (id, range) => {
        const on = !ids.has(id);
        const meant = range ? idsBetween(rows, last, id) : [id];
        setIds(on ? ids.union(new Set(meant)) : ids.difference(new Set(meant)));
        setLast(id);
      },
      chooseAll: () => setIds(new Set(rows.map(({ id }) => id))),
      clear: () => setIds(NONE),
    }),
    [ids, last, rows, chosen],
  );
}

/** Both ends included, in either direction; only the second if the first is not in the list. */
export function idsBetween(
  rows: readonly Pick<Transaction, 'id'>[],
  first: string | null,
  second: string,
): readonly string[] {
  const ends = [first, second].map((id) => rows.findIndex((row) => row.id === id));
  if (ends.includes(-1)) return [second];
  return rows.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id);
}

interface SelectionBarProps {
  readonly selection: Selection;
  /** How many rows are shown. */
  readonly shown: number;
  /** Whether every row of the period has been read. */
  readonly complete: boolean;
  readonly onChange: () => void;
}

/** What is selected and what can be done with it, always in view. Renders nothing without a selection. */
export function SelectionBar({ selection, shown, complete, onChange }: SelectionBarProps) {
  const { chosen, chooseAll, clear } = selection;
  if (chosen.length === 0) return null;
  const sums = [...totals(chosen.map(({ amount }) => amount))];
  return (
    <section className={classes.selection} aria-label={SELECTION.label}>
      <p className={classes.selected} role="status">
        {SELECTION.chosen(chosen.length)}
        <span className={classes.aside}>
          {sums.map(([currency, sum]) => moneyText(sum, currency, 'always')).join(' · ')}
        </span>
      </p>
      {chosen.length === shown ? null : (
        <Button size="xs" variant="default" onClick={chooseAll}>
          {SELECTION.all(shown, complete)}
        </Button>
      )}
      <Button size="xs" onClick={onChange}>
        {TRANSACTION.change}
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={SELECTION.clear} onClick={clear}>
        <Icon name="close" />
      </ActionIcon>
    </section>
  );
}
