import { Box, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './charts.module.css';
import { keyed } from './keyed.ts';

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
        {keyed(tables, ({ caption }) => caption).map(([key, table]) => (
          <ChartTable key={key} {...table} />
        ))}
      </div>
    </details>
  );
}

function ChartTable({ caption, heads, rows }: ChartTableData) {
  const keyedHeads = keyed(heads, (head) => head);
  return (
    // By keyboard it is scrolled once it has the focus.
    <Box className={classes.scroll} role="group" aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {keyedHeads.map(([key, head]) => (
              <th key={key} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, values }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {keyedHeads.slice(1).map(([head], at) => (
                <td key={head}>{values[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
