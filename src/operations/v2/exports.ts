import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { asideIn } from '../../features/exports/aside-rows.ts';
import { csvText } from '../../features/exports/csv-export.ts';
import { type AccountOutcome, jsonLines, jsonLinesApart } from '../../features/exports/json-lines-export.ts';
import { ofxStatements } from '../../features/exports/ofx-export.ts';
import { qifLists } from '../../features/exports/qif-export.ts';
import type { ExportedRow, RowExport } from '../../features/exports/row-export.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { formatInstant } from '../../vocabulary/moments.ts';
import { invalidParameter, type ServiceError } from '../../vocabulary/service-error.ts';
import { fileNameOf } from '../../vocabulary/shown-names.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import { syncPermit } from '../admit.ts';
import { type Operation, type StreamedAnswer, streamedOperation } from '../operation.ts';
import type { Services } from '../services.ts';
import { presentHolding } from './holdings.ts';
import { limited } from './schema/bounds.ts';
import { dayWindow, fieldId, idOf, idParams, oneOf, pathId } from './schema/conventions.ts';
import { presentTrade } from './trades.ts';
import { readErrors } from './transactions/operations.ts';
import { presentTransaction } from './transactions/resource.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl', 'ofx', 'ofx1', 'qif'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  ofx: 'application/x-ofx',
  ofx1: 'application/x-ofx',
  qif: 'application/x-qif',
} as const satisfies Record<ExportFormat, string>;

export interface ExportSettings {
  readonly format?: ExportFormat;
  readonly bom?: boolean;
  readonly defuse_formulas?: boolean;
  readonly failures?: ExportFailures;
  readonly set_aside?: ExportAside;
}

export const EXPORT_FAILURES = ['abort', 'report'] as const;
export type ExportFailures = (typeof EXPORT_FAILURES)[number];

/** Whether the rows that a file lacks because they could not be read are counted beside it. */
export const EXPORT_ASIDE = ['omit', 'report'] as const;
export type ExportAside = (typeof EXPORT_ASIDE)[number];
const PARTS = 'multipart/form-data';

/** The rows as a file. `name` begins the file's name; `ruled`: whether they went through the rules of a sync. */
export function exportAnswer(
  services: Pick<Services, 'clock' | 'categoryOf' | 'limits'>,
  owner: OwnerId,
  rows: RowExport,
  {
    format = 'csv',
    bom = false,
    defuse_formulas: defuse = true,
    failures = 'abort',
    set_aside: aside = 'omit',
  }: ExportSettings,
  { name, ruled }: { readonly name: string; readonly ruled: boolean },
): StreamedAnswer & { readonly fileName: string } {
  const now = services.clock.now();
  const text = {
    csv: async (signal: AbortSignal) => csvText(rows, { bom, defuse }, signal),
    ofx: async (signal: AbortSignal) => ofxStatements(rows, { version: 2, now }, signal),
    ofx1: async (signal: AbortSignal) => ofxStatements(rows, { version: 1, now }, signal),
    qif: async (signal: AbortSignal) => qifLists(rows, signal),
    jsonl: async (signal: AbortSignal) => {
      const shown = { categoryOf: await services.categoryOf(owner), ruled };
      const present = (row: ExportedRow, { id }: AccountOutcome['account']) =>
        presentExportedRow(row, publicId('account', id), shown);
      const timing = { clock: services.clock, readDeadlineMs: services.limits.read_deadline_ms };
      return failures === 'report'
        ? jsonLinesApart(rows, present, presentOutcome, signal, timing)
        : jsonLines(rows, present, explained, signal);
    },
  }[format];
  const file = { mediaType: EXPORT_MEDIA_TYPES[format], fileName: fileName(rows, name, format) };
  const trailer = {
    name: 'X-Service-Rows-Set-Aside',
    value: () => String(asideIn(rows).reduce((sum, one) => sum + one.rows, 0)),
  };
  if (aside === 'omit') return { ...file, text, trailer };
  // No file can contain it by chance.
  const boundary = `tributary-${randomUUID()}`;
  const { fileName: named } = file;
  return {
    mediaType: `${PARTS}; boundary=${boundary}`,
    fileName: named,
    trailer,
    text: async (signal) => withAside(await text(signal), { ...file, boundary }, rows),
  };
}

interface Parts {
  readonly boundary: string;
  readonly mediaType: string;
  readonly fileName: string;
}

/** The file as a part of a form (RFC 7578), followed by a part with the number of rows that each account lacks in it. */
async function* withAside(
  text: AsyncIterable<string>,
  { boundary, mediaType, fileName: name }: Parts,
  rows: RowExport,
): AsyncGenerator<string> {
  const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
  let head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  for await (const piece of text) {
    yield head + piece;
    head = '';
  }
  const counts = asideIn(rows).map(({ account, rows: count }) => ({
    account: publicId('account', account.id),
    rows: count,
  }));
  yield `${head}\r\n--${boundary}\r\nContent-Disposition: form-data; name="set_aside"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(counts)}\r\n--${boundary}--\r\n`;
}

/** The last line of an incomplete export. */
function explained({ type, code, message }: ServiceError) {
  return { error: { type, code, message } };
}

/** The last line of an account, where failures are reported. */
function presentOutcome({ account, window, observedAt, error }: AccountOutcome) {
  return {
    object: 'account_export',
    account: publicId('account', account.id),
    from: window?.from ?? null,
    to: window?.to ?? null,
    observed_at: observedAt === null ? null : formatInstant(observedAt),
    error:
      error === null ? null : { ...explained(error).error, retry_after_seconds: error.retryAfterSeconds },
  };
}

function fileName({ accounts }: RowExport, name: string, format: ExportFormat): string {
  const window = accounts.find((account) => account.window !== null)?.window;
  const days = window == null ? '' : `-${window.from}-to-${window.to}`;
  return `${name}${days}.${format === 'ofx1' ? 'ofx' : format}`;
}

/**
 * One row of an export as JSON. `account` is a public id; `ruled` adds what the rules of a sync put beside the
 * transaction.
 */
function presentExportedRow(
  row: ExportedRow,
  account: string,
  {
    categoryOf,
    ruled,
  }: { readonly categoryOf: (row: Transaction) => string | null; readonly ruled: boolean },
) {
  if (row.kind === 'holding') return presentHolding(row.holding, account);
  if (row.kind === 'trade') return presentTrade(row.trade, account);
  const { transaction, source, category = categoryOf(source), customCategory, memo, tags } = row;
  const shown = presentTransaction(transaction, account, category);
  return ruled ? { ...shown, custom_category: customCategory, memo, tags } : shown;
}

const sentDocs = {
  format:
    'csv (the default), jsonl (one JSON object a line) or ofx (OFX 2.2: posted transactions, one statement for each account).',
  bom: 'csv: whether the file begins with a byte order mark; false when absent.',
  set_aside:
    'report: the answer is multipart/form-data with the file as its part file, and a JSON list {account, rows} of how many rows of which account could not be read as its part set_aside. omit, the default: the file alone.',
  defuse_formulas:
    'csv: whether a cell that begins like a formula and is no number gets an apostrophe in front; true when absent.',
};

const settings = {
  format: Type.Optional(oneOf(EXPORT_FORMATS)),
  from: Type.Optional(dayWindow.from),
  to: Type.Optional(dayWindow.to),
  bom: Type.Optional(Type.Boolean()),
  defuse_formulas: Type.Optional(Type.Boolean()),
  set_aside: Type.Optional(oneOf(EXPORT_ASIDE)),
};

/** Nothing is cached for longer than `transactions_cache_minutes`, which is a day at most. */
const MOST_AGE_SECONDS = 86_400;

const mediaTypes = [...new Set<string>(Object.values(EXPORT_MEDIA_TYPES)), PARTS];

export const exportOperations: readonly Operation[] = [
  streamedOperation({
    id: 'export_sync',
    summary: "Export the rows of a sync's accounts as the sync delivers them",
    docs: {
      description:
        'Reads the bank live and streams the rows as the sync delivers them: after categories and rules, from `options.data_from` on. If an export cannot be completed, its connection is aborted.',
      sent: sentDocs,
    },
    path: '/v2/syncs/:id/export',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    longest: 'export_seconds',
    audit: 'export.sync',
    params: idParams('sync'),
    query: Type.Object(settings),
    mediaTypes,
    errors: [...readErrors.filter((code) => code !== 'wrong_endpoint_for_category'), 'professional_required'],
    handle: async ({ params, query, caller, services }) => {
      const { accountRecord } = caller;
      const permit = syncPermit(caller, services.clock);
      const asked = { from: query.from ?? null, to: query.to ?? null };
      const rows = await services.exports.ofSync(accountRecord.id, pathId('sync', params.id), asked, permit);
      return exportAnswer(services, accountRecord.id, rows, query, {
        name: fileNameOf(accountRecord.name, params.id),
        ruled: true,
      });
    },
  }),
  streamedOperation({
    id: 'export_transactions',
    summary: 'Export transactions of banking accounts',
    docs: {
      description:
        'Reads the bank live and streams the rows as the bank shows them, the last 30 days without dates. An export that cannot be completed is aborted, unless `failures=report`.',
      sent: {
        ...sentDocs,
        failures:
          'jsonl: report ends the rows of each account with a line that says how it went, so that one that cannot be read fails no other; abort, the default, ends the export.',
        max_age_seconds:
          'How old rows may be that the service has cached; they are cached when it is sent, and read live when it is absent.',
      },
    },
    path: '/v2/transactions/export',
    scope: 'data:read',
    alsoScopes: [],
    tier: 'heavy',
    longest: 'export_seconds',
    audit: 'export.transactions',
    // The application reads its pages so, a dozen times a minute: files would no longer be found among them.
    isAudited: ({ caller, query }) => caller.kind !== 'session' || query.format !== 'jsonl',
    query: Type.Object({
      ...settings,
      account: Type.Array(idOf('account', 'An account, acct_….'), {
        minItems: 1,
        ...limited({ maxItems: 'export_accounts' }),
      }),
      include_pending: Type.Optional(Type.Boolean({ default: false })),
      failures: Type.Optional(oneOf(EXPORT_FAILURES)),
      max_age_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_AGE_SECONDS })),
    }),
    mediaTypes,
    errors: [...readErrors, 'parameter_missing'],
    handle: async ({ query, caller, services }) => {
      const failuresApart = query.failures === 'report';
      if (failuresApart && query.format !== 'jsonl')
        throw invalidParameter('failures', 'Only JSON lines (format=jsonl) report failures of accounts.');
      const { max_age_seconds: maxAge } = query;
      const accounts = query.account.map((text) => fieldId('account', text, 'account'));
      const { id: owner, name } = caller.accountRecord;
      const rows = await services.exports.ofAccounts(owner, accounts, {
        from: query.from ?? null,
        to: query.to ?? null,
        includePending: query.include_pending === true,
        maxAgeMs: maxAge === undefined ? null : maxAge * 1000,
        failuresApart,
      });
      return exportAnswer(services, owner, rows, query, {
        name: fileNameOf(name, 'transactions'),
        ruled: false,
      });
    },
  }),
];
