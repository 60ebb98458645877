import { type ReactNode, useId } from 'react';
import classes from './card.module.css';
import { keyed } from './keyed.ts';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its own heading. */
export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        {aside === undefined ? null : <div className={classes.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** Names and values, side by side as space allows. Empty values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {keyed(
        facts.filter(([, value]) => value !== null && value !== ''),
        ([name]) => name,
      ).map(([key, [name, value]]) => (
        <div key={key} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
