import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { placeOn, scaleOf } from './chart-scale.ts';
import classes from './charts.module.css';

interface Column<T extends string> {
  readonly key: T;
  /** Below the column. */
  readonly short: string;
  /** In full, for screen readers and tooltips. */
  readonly name: string;
  readonly value: bigint;
}

interface ColumnsChartProps<T extends string> {
  readonly label: string;
  /** What the columns show together, for people who cannot see them. */
  readonly description: string;
  readonly columns: readonly Column<T>[];
  readonly text: (value: bigint) => string;
  readonly axisText: (value: bigint) => string;
  readonly chosen: T;
  readonly onChoose: (key: T) => void;
}

/** A few values side by side, one of which is selected. */
export function ColumnsChart<T extends string>(props: ColumnsChartProps<T>) {
  const { label, description, columns, text, axisText, chosen, onChoose } = props;
  const id = useId();
  const scale = scaleOf([0n, ...columns.map(({ value }) => value)]);
  const zero = placeOn(scale, 0n);
  return (
    <fieldset className={classes.columns} aria-label={label} aria-describedby={id}>
      {columns.map(({ key, short, name, value }) => {
        const place = placeOn(scale, value);
        return (
          <button
            key={key}
            type="button"
            className={classes.column}
            aria-pressed={key === chosen}
            title={`${name}: ${text(value)}`}
            onClick={() => onChoose(key)}
          >
            <span className={classes.columnValue}>{axisText(value)}</span>
            <span className={classes.room}>
              <span
                className={classes.columnBar}
                style={{
                  bottom: `${Math.min(zero, place) * 100}%`,
                  height: `${Math.abs(place - zero) * 100}%`,
                }}
              />
            </span>
            <span className={classes.short}>{short}</span>
          </button>
        );
      })}
      <VisuallyHidden id={id}>{description}</VisuallyHidden>
    </fieldset>
  );
}
