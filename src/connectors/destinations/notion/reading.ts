import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import type { ShownRow, TargetReading } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { parseQualifiedId } from '../kit/shared-ids.ts';
import { exactNumber } from '../row-values.ts';
import type { NotionApi } from './client.ts';
import { FIELDS, madeColumns, refusalOf, rowValues, shownText } from './columns.ts';
import { findTarget, QUERY_LAG_MS, type Target } from './target.ts';
import type { RowAnswer } from './wire.ts';

const ACCOUNT_FIELDS: readonly TransactionField[] = ['account', 'account_number', 'institution'];
const headerOf = (field: TransactionField): string => TRANSACTION_FIELDS[field].header;

/**
 * Reads back the pages of a database that have the id of a row. Pages in the trash are not among them.
 *
 * @param chosen fields that are shown, including the id; null for the standard ones
 */
export function notionReading(
  api: NotionApi,
  database: string,
  chosen: readonly TransactionField[] | null,
): TargetReading {
  const fields = chosen ?? FIELDS;
  const compared = fields.filter((field) => field !== 'transaction_id');
  return {
    shown: (text) => {
      const values = rowValues(text, fields);
      return Object.fromEntries(
        compared.map((field) => [headerOf(field), comparable(field, values.get(field) ?? '')]),
      );
    },
    keysOf: (id) => [id],
    inspect: async (signal) => {
      const { plan } = await findTarget(api, database, chosen, signal);
      const lacking = [
        ...plan.missing.map((field) => ({ name: headerOf(field), problem: 'absent' as const })),
        ...plan.unfit.map(({ field }) => ({ name: headerOf(field), problem: 'wrong_type' as const })),
      ];
      const found = new Map(plan.columns.map((column) => [column.field, column]));
      const columns = madeColumns(fields).map((made) => found.get(made.field) ?? made);
      return {
        lacking: lacking.map((column) => ({ ...column, where: null })),
        refusal: (text) => refusalOf(columns, rowValues(text, fields)),
      };
    },
    settlesMs: QUERY_LAG_MS,
    accountFields: ACCOUNT_FIELDS.filter((field) => fields.includes(field)).map(headerOf),
    rows: async function* (signal) {
      const { target } = await findTarget(api, database, chosen, signal);
      if (target !== null) yield* pagesOf(api, target, signal);
    },
  };
}

/** A query ends after 10,000 rows; the next begins in the minute in which the last row was created. */
async function* pagesOf(
  api: NotionApi,
  target: Target,
  signal: AbortSignal,
): AsyncGenerator<readonly ShownRow[]> {
  const { source, columns, idProperty: property } = target;
  const show = columns.map(({ id }) => id);
  /** Pages of the last minute, which the next query returns again. */
  let minute = { at: '', pages: new Set<string>() };
  let since: string | null = null;
  for (;;) {
    let cursor: string | null = null;
    let isCut = false;
    do {
      const query = { source, property, show, since, cursor };
      const answer: Awaited<ReturnType<NotionApi['rowsSince']>> = await api.rowsSince(query, signal);
      const fresh = answer.results.filter(({ id }) => !minute.pages.has(id));
      for (const { id, created_time: at } of fresh) {
        if (at !== minute.at) minute = { at, pages: new Set() };
        minute.pages.add(id);
      }
      yield fresh.flatMap((page) => shownRow(page, target));
      isCut = answer.request_status?.type === 'incomplete';
      cursor = answer.has_more ? answer.next_cursor : null;
    } while (cursor !== null);
    if (!isCut) return;
    if (minute.at === since) throw tooManyAtOnce();
    since = minute.at;
  }
}

function shownRow({ id: page, properties }: RowAnswer, { columns, idProperty }: Target): readonly ShownRow[] {
  const cells = new Map(Object.values(properties).map((cell) => [cell.id, cell]));
  const textOf = (property: string): string => {
    const cell = cells.get(property);
    return cell === undefined ? '' : shownText(cell);
  };
  const id = textOf(idProperty);
  if (id === '') return [];
  const compared = columns.filter(({ id: property }) => property !== idProperty);
  const values = Object.fromEntries(
    compared.map(({ field, id: property }) => [headerOf(field), comparable(field, textOf(property))]),
  );
  const row = parseQualifiedId(id);
  return [{ keys: row === null ? [id] : [], ...(row === null ? {} : { row }), where: page, values }];
}

/** A number, and a date without an end, equal their text. */
function comparable(field: TransactionField, text: string): string | null {
  if (text === '') return null;
  const { form } = TRANSACTION_FIELDS[field];
  if (form === 'decimal') return String(exactNumber(text) ?? text);
  return form === 'date' ? text.replace(/\/$/, '') : text;
}

function tooManyAtOnce(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'Notion has more rows of one minute than a query answers with.',
    {
      outcome: 'refused',
      retryable: false,
    },
  );
}
