import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Account, DocumentPreview } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { accountLabel } from '../format/account-names.ts';
import { accountNumberText } from '../format/account-number.ts';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { numberText } from '../format/numbers.ts';
import { Card, Facts } from '../parts/card.tsx';
import { keyed } from '../parts/keyed.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { STATEMENT_FILE } from '../text/statement-files.ts';
import classes from './statement-files.module.css';

type Statement = DocumentPreview['statements'][number];
type Row = Statement['rows'][number];

const TONES: Readonly<Record<Row['outcome'], Tone>> = { new: 'good', known: 'idle', live: 'idle' };

interface DocumentStatementsProps {
  readonly preview: DocumentPreview;
  readonly accounts: readonly Account[];
}

/** What is in a file, for each account in it: where its rows go, which are new, and which cannot be read. */
export function DocumentStatements({ preview: { statements }, accounts }: DocumentStatementsProps) {
  return keyed(statements, ({ name, account_number: number, currency }) =>
    [name, number, currency].join(' '),
  ).map(([key, statement]) => <StatementCard key={key} statement={statement} accounts={accounts} />);
}

interface StatementCardProps {
  readonly statement: Statement;
  readonly accounts: readonly Account[];
}

function StatementCard({ statement, accounts }: StatementCardProps) {
  const { name, account_number: number, currency, rows } = statement;
  const days = daysOf(statement);
  const into = accounts.find(({ id }) => id === statement.account);
  const live = accounts.find(({ id }) => id === statement.live_account);
  const alike = accounts.find(({ id }) => id === statement.alike_account);
  const count = statement.new_rows + statement.known_rows + statement.live_rows;
  const { counts } = STATEMENT_FILE;
  const some = (rows: number) => (rows === 0 ? null : numberText(rows));
  return (
    <Card
      title={number === null ? name : `${name} ${accountNumberText(number)}`}
      aside={[currency.toUpperCase(), ...(days === null ? [] : [STATEMENT_FILE.days(...days)])].join(' · ')}
    >
      <p className={classes.goes}>
        {into === undefined ? (
          live === undefined ? (
            STATEMENT_FILE.makes
          ) : (
            STATEMENT_FILE.makesBeside(accountLabel(live))
          )
        ) : (
          <Link to={APP_PATHS.account} params={{ id: into.id }}>
            {STATEMENT_FILE.into(accountLabel(into))}
          </Link>
        )}
      </p>
      {live === undefined ? null : (
        <p className={classes.goes}>{STATEMENT_FILE.compared(accountLabel(live))}</p>
      )}
      {alike === undefined ? null : (
        <p className={classes.goes}>
          <strong>{STATEMENT_FILE.alike(accountLabel(alike))}</strong>
        </p>
      )}
      <Facts
        facts={[
          [counts.new, numberText(statement.new_rows)],
          [counts.known, some(statement.known_rows)],
          [counts.live, some(statement.live_rows)],
          [counts.pending, some(statement.pending_rows)],
          [counts.unreadable, some(statement.unreadable_rows)],
        ]}
      />
      {statement.unreadable_rows === 0 ? null : <Unreadable statement={statement} />}
      {rows.length === 0 ? (
        <p className={classes.goes}>{STATEMENT_FILE.noRows}</p>
      ) : (
        <RowTable
          rows={rows}
          caption={count > rows.length ? STATEMENT_FILE.firstRows(rows.length, count) : STATEMENT_FILE.rows}
        />
      )}
    </Card>
  );
}

/** The days that the file names, or else those of the rows shown, if these are all. */
function daysOf({ from, to, rows }: Statement): readonly [from: string, to: string] | null {
  const dates = rows.map(({ date }) => date).toSorted();
  const [first = from, last = to] = [from ?? dates[0], to ?? dates.at(-1)];
  return first === null || last === null ? null : [dayText(first), dayText(last)];
}

function Unreadable({
  statement: { unreadable, unreadable_rows: count },
}: {
  readonly statement: Statement;
}) {
  return (
    <div className={classes.unreadable}>
      <p className={classes.unreadableTitle}>{STATEMENT_FILE.unreadable(count)}</p>
      <p>{STATEMENT_FILE.unreadableText}</p>
      <ul>
        {unreadable.map(({ position, field }) => (
          <li key={`${position} ${field}`}>
            {STATEMENT_FILE.unreadableRow(position, STATEMENT_FILE.unreadableFields[field])}
          </li>
        ))}
        {count > unreadable.length ? <li>{STATEMENT_FILE.more(count - unreadable.length)}</li> : null}
      </ul>
    </div>
  );
}

function RowTable({ rows, caption }: { readonly rows: readonly Row[]; readonly caption: string }) {
  return (
    // By keyboard it is scrolled once it has the focus.
    <Box className={classes.scroll} role="group" aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{STATEMENT_FILE.date}</th>
            <th scope="col">{STATEMENT_FILE.description}</th>
            <th scope="col" className={classes.figure}>
              {STATEMENT_FILE.amount}
            </th>
            <th scope="col" className={classes.onDesk}>
              {STATEMENT_FILE.outcome}
            </th>
          </tr>
        </thead>
        <tbody>
          {keyed(rows, (row) => `${row.date} ${row.description} ${row.amount_decimal}`).map(([key, row]) => (
            <tr key={key}>
              <td className={classes.day}>{dayText(row.date)}</td>
              <td>
                {row.description}
                {row.counterparty === null || row.counterparty === row.description ? null : (
                  <span className={classes.party}>{row.counterparty}</span>
                )}
                <span className={`${classes.party} ${classes.onPhone}`}>
                  {STATEMENT_FILE.outcomes[row.outcome]}
                </span>
              </td>
              <td className={classes.figure}>
                {moneyText(BigInt(row.amount.amount), row.amount.currency, 'always')}
              </td>
              <td className={classes.onDesk}>
                <StatusBadge tone={TONES[row.outcome]}>{STATEMENT_FILE.outcomes[row.outcome]}</StatusBadge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
