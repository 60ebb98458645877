import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { placeOn, scaleOf } from './chart-scale.ts';
import classes from './charts.module.css';

interface FlowColumn<T extends string> {
  readonly key: T;
  /** Below the columns. */
  readonly short: string;
  /** In full, for screen readers and the tooltip. */
  readonly name: string;
  /** What is negative, as of a month with more refunds than spending, is drawn as nothing. */
  readonly in: bigint;
  readonly out: bigint;
}

interface FlowChartProps<T extends string> {
  readonly label: string;
  /** What the columns show together, for people who cannot see them. */
  readonly description: string;
  readonly columns: readonly FlowColumn<T>[];
  readonly chosen: T;
  readonly onChoose: (key: T) => void;
}

/** Money in above the zero line and money out below it, one pair for each period; one of them is chosen. */
export function FlowChart<T extends string>(props: FlowChartProps<T>) {
  const { label, description, columns, chosen, onChoose } = props;
  const id = useId();
  const drawn = columns.map((column) => ({ ...column, in: positive(column.in), out: positive(column.out) }));
  const scale = scaleOf([0n, ...drawn.flatMap((column) => [column.in, -column.out])]);
  const zero = placeOn(scale, 0n);
  return (
    <fieldset className={classes.columns} aria-label={label} aria-describedby={id}>
      {drawn.map((column) => (
        <button
          key={column.key}
          type="button"
          className={classes.column}
          aria-pressed={column.key === chosen}
          title={column.name}
          onClick={() => onChoose(column.key)}
        >
          <span className={classes.room}>
            <span
              className={classes.flowIn}
              style={{ bottom: `${zero * 100}%`, height: `${(placeOn(scale, column.in) - zero) * 100}%` }}
            />
            <span
              className={classes.flowOut}
              style={{
                bottom: `${placeOn(scale, -column.out) * 100}%`,
                height: `${(zero - placeOn(scale, -column.out)) * 100}%`,
              }}
            />
          </span>
          <span className={classes.short}>{column.short}</span>
        </button>
      ))}
      <VisuallyHidden id={id}>{description}</VisuallyHidden>
    </fieldset>
  );
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
