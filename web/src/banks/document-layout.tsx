import { Box, Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DocumentPreview } from '#client';
import { Card } from '../parts/card.tsx';
import { Check } from '../parts/fields.tsx';
import { keyed } from '../parts/keyed.ts';
import { CSV_LAYOUT } from '../text/statement-files.ts';
import {
  COLUMN_ROLES,
  draftOf,
  isSigned,
  type Layout,
  type LayoutDraft,
  layoutOf,
  needsOf,
  roleOf,
  sameLayout,
  withRole,
} from './csv-columns.ts';
import classes from './statement-files.module.css';

type Csv = NonNullable<DocumentPreview['csv']>;

const NOT_READ = '';
const MOST_SKIPPED = 1_000;
/** Enough to see what a column holds. */
const SHOWN_ROWS = 8;
const DELIMITERS = [
  [',', CSV_LAYOUT.delimiters.comma],
  [';', CSV_LAYOUT.delimiters.semicolon],
  ['\t', CSV_LAYOUT.delimiters.tab],
  ['|', CSV_LAYOUT.delimiters.bar],
] as const;
const DATE_ORDERS = [
  ['ymd', CSV_LAYOUT.dateOrders.ymd],
  ['dmy', CSV_LAYOUT.dateOrders.dmy],
  ['mdy', CSV_LAYOUT.dateOrders.mdy],
] as const;
const DECIMAL_SIGNS = [
  ['.', CSV_LAYOUT.decimalSigns.point],
  [',', CSV_LAYOUT.decimalSigns.comma],
] as const;
const POSITIVES = [
  ['in', CSV_LAYOUT.positives.in],
  ['out', CSV_LAYOUT.positives.out],
] as const;

interface DocumentLayoutProps {
  readonly csv: Csv;
  /** Whether its owner has said how it is read. */
  readonly isOwn: boolean;
  /** Saves a layout, or the guess again for null, and resolves with what the file is with it. */
  readonly onChange: (layout: Layout | null) => Promise<Csv | null>;
  /** Whether what is chosen is enough to read a row. */
  readonly onComplete: (complete: boolean) => void;
}

/** How a CSV is read, above its first rows. A change is saved as soon as rows can be read with it. */
export function DocumentLayout({ csv, isOwn, onChange, onComplete }: DocumentLayoutProps) {
  // Until the file is shown as chosen.
  const [chosen, setChosen] = useState<LayoutDraft | null>(null);
  const draft = chosen ?? draftOf(csv);
  const needs = needsOf(draft);
  const change = async (next: LayoutDraft) => {
    setChosen(next);
    const layout = layoutOf(next);
    onComplete(layout !== null);
    if (layout === null) return;
    const shown = await onChange(layout);
    if (sameLayout(shown?.layout ?? null, layout)) setChosen((now) => (now === next ? null : now));
  };
  const guess = async () => {
    await onChange(null);
    setChosen(null);
    onComplete(true);
  };
  const isGuess = csv.layout !== null && sameLayout(csv.layout, csv.guessed);
  return (
    <Card title={CSV_LAYOUT.title}>
      <div className={classes.layout}>
        <p className={classes.hint}>{csv.layout === null ? CSV_LAYOUT.unguessed : CSV_LAYOUT.hint}</p>
        {isGuess && csv.doubts.length > 0 ? (
          <div className={classes.doubts}>
            <p>{CSV_LAYOUT.doubts}</p>
            <ul>
              {csv.doubts.map((doubt) => (
                <li key={doubt}>{CSV_LAYOUT.doubt[doubt]}</li>
              ))}
            </ul>
          </div>
        ) : null}
        <div className={classes.choices}>
          <Choice
            label={CSV_LAYOUT.delimiter}
            choices={DELIMITERS}
            value={draft.delimiter}
            onChange={(delimiter) => change({ ...draft, delimiter })}
          />
          <Choice
            label={CSV_LAYOUT.dateOrder}
            choices={DATE_ORDERS}
            value={draft.date_order}
            onChange={(date_order) => change({ ...draft, date_order })}
          />
          <Choice
            label={CSV_LAYOUT.decimalSign}
            choices={DECIMAL_SIGNS}
            value={draft.decimal_sign}
            onChange={(decimal_sign) => change({ ...draft, decimal_sign })}
          />
          {isSigned(draft) ? (
            <Choice
              label={CSV_LAYOUT.positive}
              choices={POSITIVES}
              value={draft.positive}
              onChange={(positive) => change({ ...draft, positive })}
            />
          ) : null}
          <SkipField
            key={draft.skip_lines}
            lines={draft.skip_lines}
            onChange={(skip_lines) => change({ ...draft, skip_lines })}
          />
        </div>
        <Check
          label={CSV_LAYOUT.header}
          checked={draft.header}
          onChange={(header) => change({ ...draft, header })}
        />
        {needs.length === 0 ? null : (
          <p className={classes.needs} role="alert">
            {CSV_LAYOUT.needs(needs.map((one) => CSV_LAYOUT.need[one]).join(', '))}
          </p>
        )}
        {isOwn ? (
          <div>
            <Button size="xs" variant="default" onClick={guess}>
              {CSV_LAYOUT.guess}
            </Button>
          </div>
        ) : null}
      </div>
      <Cells csv={csv} draft={draft} onChange={change} />
    </Card>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, choices, value, onChange }: ChoiceProps<T>) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={choices.map(([one, name]) => ({ value: one, label: name }))}
      onChange={({ currentTarget }) => {
        const chosen = choices.find(([one]) => one === currentTarget.value);
        if (chosen !== undefined) onChange(chosen[0]);
      }}
    />
  );
}

interface SkipFieldProps {
  readonly lines: number;
  readonly onChange: (lines: number) => void;
}

/** Saved once the field is left, so that no digit on the way is. */
function SkipField({ lines, onChange }: SkipFieldProps) {
  const [text, setText] = useState(String(lines));
  const leave = () => {
    const typed = Number(text);
    const isFine = text.trim() !== '' && Number.isInteger(typed) && typed >= 0 && typed <= MOST_SKIPPED;
    if (!isFine) setText(String(lines));
    else if (typed !== lines) onChange(typed);
  };
  return (
    <TextInput
      label={CSV_LAYOUT.skip}
      inputMode="numeric"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={leave}
      onKeyDown={({ key }) => {
        if (key === 'Enter') leave();
      }}
    />
  );
}

interface CellsProps {
  readonly csv: Csv;
  readonly draft: LayoutDraft;
  readonly onChange: (draft: LayoutDraft) => void;
}

/** The first rows cell by cell, with what each column holds above it. */
function Cells({ csv: { header, rows, layout }, draft, onChange }: CellsProps) {
  const hasNames = layout?.header ?? true;
  const columns = Array.from(
    { length: Math.max(header.length, ...rows.map(({ cells }) => cells.length)) },
    (_, at) => {
      const named = hasNames ? (header[at] ?? '').trim() : '';
      return named === '' ? CSV_LAYOUT.column(at + 1) : named;
    },
  );
  const heads = keyed(columns, (name) => name);
  return (
    // By keyboard it is scrolled once it has the focus.
    <Box className={classes.scroll} role="group" aria-label={CSV_LAYOUT.firstRows} tabIndex={0}>
      <table className={`${classes.table} ${classes.cells}`}>
        <caption className={classes.caption}>{CSV_LAYOUT.firstRows}</caption>
        <thead>
          <tr>
            {heads.map(([key, name], at) => (
              <th key={key} scope="col">
                <span className={classes.columnName}>{name}</span>
                <NativeSelect
                  size="xs"
                  className={classes.role ?? ''}
                  aria-label={CSV_LAYOUT.holds(name)}
                  value={roleOf(draft, at) ?? NOT_READ}
                  data={[
                    { value: NOT_READ, label: CSV_LAYOUT.notRead },
                    ...COLUMN_ROLES.map((role) => ({ value: role, label: CSV_LAYOUT.roles[role] })),
                  ]}
                  onChange={({ currentTarget }) =>
                    onChange(
                      withRole(draft, at, COLUMN_ROLES.find((role) => role === currentTarget.value) ?? null),
                    )
                  }
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map(({ position, cells, unreadable }) => (
            <tr key={position} data-unreadable={unreadable !== null}>
              {heads.map(([key], at) => (
                <td key={key} data-read={roleOf(draft, at) !== null}>
                  {cells[at] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
