import { VisuallyHidden } from '@mantine/core';
import { type PointerEvent, useId, useState } from 'react';
import { placeOn, scaleOf } from './chart-scale.ts';
import classes from './charts.module.css';
import { keyed } from './keyed.ts';

interface ChartPoint {
  /** The label of the point. */
  readonly name: string;
  /** Where the line is. */
  readonly value: bigint;
  /** Where the band upon the line ends. */
  readonly upper?: bigint;
}

interface LineChartProps {
  /** What the line shows. */
  readonly label: string;
  /** How it runs, for people who cannot see it. */
  readonly description: string;
  /** At least one, in order; either all or none with a band. */
  readonly points: readonly ChartPoint[];
  readonly text: (value: bigint) => string;
  /** The same in few characters, for the axis. */
  readonly axisText: (value: bigint) => string;
  /** Names below the chart, spread evenly. */
  readonly marks: readonly string[];
  /** The selected point; null for none. */
  readonly onLook: (at: number | null) => void;
  readonly tall?: boolean;
}

/** The drawing is a square that is stretched; the line keeps its width. */
const SIDE = 1_000;

/**
 * A line over time, and a band upon it. Pointing at it selects a point; arrow keys and screen readers use the slider
 * over the drawing.
 */
export function LineChart(props: LineChartProps) {
  const { label, description, points, text, axisText, marks, onLook, tall = false } = props;
  const [looked, setLooked] = useState<number | null>(null);
  const id = useId();
  const values = points.map(({ value }) => value);
  const uppers = points.flatMap(({ upper }) => (upper === undefined ? [] : [upper]));
  const hasBand = uppers.length > 0;
  const scale = scaleOf(hasBand ? [...values, ...uppers, 0n] : withZero(values));
  const last = points.length - 1;
  const at = Math.min(looked ?? last, last);
  const x = (index: number) => (last === 0 ? 1 : index / last);
  const y = (value: bigint) => 1 - placeOn(scale, value);
  // A single point is drawn from end to end.
  const across = (some: readonly bigint[]) =>
    last === 0
      ? some.flatMap((value) => [`0 ${y(value) * SIDE}`, `${SIDE} ${y(value) * SIDE}`])
      : some.map((value, index) => `${x(index) * SIDE} ${y(value) * SIDE}`);
  const line = `M${across(values).join('L')}`;
  const edge = across(uppers);
  const shown = points[at];
  if (shown === undefined) return null;
  const whole = shown.upper ?? shown.value;
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
    <div className={`${classes.chart} ${tall ? classes.tall : ''}`}>
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
          <linearGradient id={`${id}-fade`} x1="0" y1="0" x2="0" y2="1">
            <stop className={classes.fadeStart} offset="0" />
            <stop className={classes.fadeEnd} offset="1" />
          </linearGradient>
          {scale.ticks.map((tick) => (
            <path
              key={String(tick)}
              className={tick === 0n ? classes.zero : classes.grid}
              d={`M0 ${y(tick) * SIDE}H${SIDE}`}
            />
          ))}
          {/* What is filled is read as an amount, so an axis that leaves out zero has a line alone. */}
          {scale.low <= 0n && scale.high >= 0n ? (
            <path fill={`url(#${id}-fade)`} d={`${line}V${y(0n) * SIDE}H0Z`} />
          ) : null}
          {hasBand ? (
            <>
              <path className={classes.band} d={`${line}L${edge.toReversed().join('L')}Z`} />
              <path className={classes.upper} d={`M${edge.join('L')}`} />
            </>
          ) : null}
          <path className={classes.line} d={line} />
        </svg>
        <span
          className={classes.cursor}
          hidden={looked === null}
          style={{ insetInlineStart: `${x(at) * 100}%` }}
        />
        <span
          className={classes.dot}
          style={{ insetInlineStart: `${x(at) * 100}%`, top: `${y(whole) * 100}%` }}
        />
        <input
          className={classes.slider}
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={label}
          aria-describedby={id}
          aria-valuetext={`${shown.name}: ${text(whole)}`}
          onChange={({ currentTarget }) => look(Number(currentTarget.value))}
          onBlur={() => look(null)}
        />
        <VisuallyHidden id={id}>{description}</VisuallyHidden>
      </div>
      <div className={classes.marks} aria-hidden="true">
        {keyed(marks, (mark) => mark).map(([key, mark]) => (
          <span key={key}>{mark}</span>
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
