import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './charts.module.css';

interface ChartTableData {
  readonly caption: string;
  /** Of the name of a row, and of each value. */
  readonly heads: readonly [string, ...string[]];
  readonly rows: readonly ChartTableRow[];
}

interface ChartTableRow {
  readonly key: string;
  readonly name: ReactNode;
  /** As many as there are heads after the first. */
  readonly values: readonly string[];
}

/** The data of the charts of a card as tables, shown on request. */
export function ChartTables({ tables }: { readonly tables: readonly ChartTableData[] }) {
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>
        {PROBLEMS.asTable}
        <VisuallyHidden>{`: ${tables.map(({ caption }) => caption).join(', ')}`}</VisuallyHidden>
      </summary>
      <div className={classes.tables}>
        {tables.map((table) => (
          <ChartTable key={table.caption} {...table} />
        ))}
      </div>
    </details>
  );
}

function ChartTable({ caption, heads, rows }: ChartTableData) {
  return (
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
        {rows.map(({ key, name, values }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {heads.slice(1).map((head, at) => (
              <td key={head}>{values[at]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
