import { PROBLEMS } from '../text/problems.ts';
import classes from './values-table.module.css';

interface ValuesTableProps {
  readonly caption: string;
  readonly heads: readonly [string, string];
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** What a chart shows, as a table, for those who would rather read than look. */
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
