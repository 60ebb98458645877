import { useState } from 'react';
import type { AccountAside } from '../api/held-rows.ts';
import { ROWS_ASIDE } from '../text/rows-aside.ts';
import { keyed } from './keyed.ts';
import { laterPart } from './later-part.tsx';
import classes from './rows-aside.module.css';

interface RowsAsideProps {
  /** Those without such rows are left out. */
  readonly accounts: readonly AccountAside[];
  /** What the rows are missing in: what is shown, or a file. */
  readonly of?: 'page' | 'file';
}

/** Its words are many, and few people open it. */
const RowsAsideList = laterPart({
  name: 'rows-aside-list',
  load: async () => (await import('./rows-aside-list.tsx')).RowsAsideList,
  loading: () => null,
});

/** Says of each account how many rows could not be read, and which ones when asked. Renders nothing if there are none. */
export function RowsAside({ accounts, of = 'page' }: RowsAsideProps) {
  const words = of === 'file' ? ROWS_ASIDE.notInFile : ROWS_ASIDE.missing;
  const lacking = accounts.filter(({ rows }) => rows.length > 0);
  return keyed(lacking, ({ name }) => name).map(([key, { name, rows }]) => (
    <Lacking key={key} text={words(rows.length, name)} rows={rows} />
  ));
}

interface LackingProps extends Pick<AccountAside, 'rows'> {
  readonly text: string;
}

function Lacking({ text, rows }: LackingProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.aside} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>{text}</summary>
      {isOpen ? <RowsAsideList rows={rows} /> : null}
    </details>
  );
}
