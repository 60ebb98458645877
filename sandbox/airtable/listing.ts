import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { invalidRequest, unknownField } from './errors.ts';
import { formulaTest } from './formula.ts';
import { type RecordPlace, recordJson } from './records.ts';
import { bodyOf, booleanOf, queryOf, textOf, textsOf } from './request-body.ts';

const PAGE_RECORDS = 100;
const PARAMETERS = ['pageSize', 'offset', 'fields', 'filterByFormula', 'maxRecords', 'returnFieldsByFieldId'];

/** `GET /v0/{base}/{table}` */
export function listByQuery({ query }: SimulatedRequest, place: RecordPlace): Reply {
  const asked = queryOf(query);
  const stray = Object.keys(asked).find((name) => !PARAMETERS.includes(name));
  if (stray !== undefined) throw invalidRequest(`"${stray}" is not a parameter of this request.`);
  return list(asked, place);
}

/** `POST /v0/{base}/{table}/listRecords` */
export function listByBody(request: SimulatedRequest, place: RecordPlace): Reply {
  return list(bodyOf(request, PARAMETERS), place);
}

/** `GET /v0/{base}/{table}/{record}` */
export function readOne({ params: { record = '' } }: SimulatedRequest, { table }: RecordPlace): Reply {
  const found = table.record(record);
  if (found === null) throw new VendorError(404, 'NOT_FOUND', 'Could not find the record.');
  return json(200, recordJson(table, found, { byId: false }));
}

function list(asked: Readonly<Record<string, unknown>>, { table }: RecordPlace): Reply {
  const size = countOf(asked, 'pageSize', PAGE_RECORDS);
  if (size > PAGE_RECORDS) throw invalidRequest('"pageSize" is at most 100.');
  const most = countOf(asked, 'maxRecords', Number.MAX_SAFE_INTEGER);
  const formula = textOf(asked, 'filterByFormula');
  const test = formula === null || formula === '' ? null : formulaTest(formula, table);
  const named = textsOf(asked, 'fields').map((name) => {
    const field = table.field(name);
    if (field === null) throw unknownField(name);
    return field;
  });
  const begin = beginOf(textOf(asked, 'offset'));
  const end = Math.min(begin + size, most);
  const byId = booleanOf(asked, 'returnFieldsByFieldId');
  const shown = named.length === 0 ? {} : { fields: named };
  const page: ReturnType<typeof recordJson>[] = [];
  let at = 0;
  for (const record of table.records) {
    if (test !== null && !test(record)) continue;
    if (at >= begin && at < end) page.push(recordJson(table, record, { byId, ...shown }));
    at += 1;
    if (at > end) break;
  }
  return json(200, { records: page, ...(at > end && end < most ? { offset: `itr${end}/rec` } : {}) });
}

function countOf(asked: Readonly<Record<string, unknown>>, name: string, standard: number): number {
  const value = asked[name] ?? standard;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw invalidRequest(`"${name}" must be a positive integer.`);
  return value;
}

function beginOf(offset: string | null): number {
  if (offset === null) return 0;
  const [, begin] = /^itr(\d{1,9})\/rec$/.exec(offset) ?? [];
  if (begin === undefined)
    throw new VendorError(422, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE', 'Start the list from its beginning.');
  return Number(begin);
}
