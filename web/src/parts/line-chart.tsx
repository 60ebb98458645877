import { type PointerEvent, useState } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import { placeOn, scaleOf } from './chart-scale.ts';
import classes from './charts.module.css';

interface ChartPoint {
  /** The label of the point. */
  readonly name: string;
  readonly value: bigint;
}

interface LineChartProps {
  /** What the line shows. */
  readonly label: string;
  /** At least one, in order. */
  readonly points: readonly ChartPoint[];
  readonly text: (value: bigint) => string;
  /** The same in few characters, for the axis. */
  readonly axisText: (value: bigint) => string;
  /** Names below the chart, spread evenly. */
  readonly marks: readonly string[];
  /** The selected point; null for none. */
  readonly onLook: (at: number | null) => void;
}

/** The drawing is a square that is stretched; the line keeps its width. */
const SIDE = 1_000;

/** A line over time. Pointing at it selects a point; arrow keys and screen readers use the slider over the drawing. */
export function LineChart({ label, points, text, axisText, marks, onLook }: LineChartProps) {
  const [looked, setLooked] = useState<number | null>(null);
  const scale = scaleOf(withZero(points.map(({ value }) => value)));
  const last = points.length - 1;
  const at = Math.min(looked ?? last, last);
  const x = (index: number) => (last === 0 ? 1 : index / last);
  const y = (value: bigint) => 1 - placeOn(scale, value);
  const line = points
    .map(({ value }, index) => `${index === 0 ? 'M' : 'L'}${x(index) * SIDE} ${y(value) * SIDE}`)
    .join('');
  const shown = points[at];
  if (shown === undefined) return null;
  const look = (index: number | null) => {
    setLooked(index);
    onLook(index);
  };
  const point = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return;
    const { left, width } = currentTarget.getBoundingClientRect();
    look(Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last))));
  };
  return (
    <div className={classes.chart}>
      <div className={classes.axis} aria-hidden="true">
        {scale.ticks.toReversed().map((tick) => (
          <span key={String(tick)}>{axisText(tick)}</span>
        ))}
      </div>
      <div className={classes.plot} onPointerMove={point} onPointerLeave={() => look(null)}>
        <svg
          className={classes.drawing}
          viewBox={`0 0 ${SIDE} ${SIDE}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {scale.ticks.map((tick) => (
            <path
              key={String(tick)}
              className={tick === 0n ? classes.zero : classes.grid}
              d={`M0 ${y(tick) * SIDE}H${SIDE}`}
            />
          ))}
          {/* What is filled is read as an amount, so an axis that leaves out zero has a line alone. */}
          {scale.low <= 0n && scale.high >= 0n ? (
            <path className={classes.area} d={`${line}V${y(0n) * SIDE}H${x(0) * SIDE}Z`} />
          ) : null}
          <path className={classes.line} d={last === 0 ? `M0 ${y(shown.value) * SIDE}H${SIDE}` : line} />
        </svg>
        <span
          className={classes.cursor}
          hidden={looked === null}
          style={{ insetInlineStart: `${x(at) * 100}%` }}
        />
        <span
          className={classes.dot}
          style={{ insetInlineStart: `${x(at) * 100}%`, top: `${y(shown.value) * 100}%` }}
        />
        <input
          className={classes.slider}
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={label}
          aria-valuetext={`${shown.name}: ${text(shown.value)}`}
          onChange={({ currentTarget }) => look(Number(currentTarget.value))}
          onBlur={() => look(null)}
        />
      </div>
      <div className={classes.marks} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
    </div>
  );
}

/** With zero among them, unless what they differ by is so little beside it that the line would be flat. */
function withZero(values: readonly bigint[]): readonly bigint[] {
  const sizes = values.map((value) => (value < 0n ? -value : value));
  const most = sizes.reduce((largest, size) => (size > largest ? size : largest), 0n);
  const least = sizes.reduce((smallest, size) => (size < smallest ? size : smallest), most);
  return (most - least) * 4n >= most ? [...values, 0n] : values;
}

interface ValuesTableProps {
  readonly caption: string;
  readonly heads: readonly [string, string];
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** The data of a chart as a table. */
export function ValuesTable({ caption, heads, rows }: ValuesTableProps) {
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>{PROBLEMS.asTable}</summary>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
