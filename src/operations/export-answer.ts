import { csvText } from '../features/exports/csv-export.ts';
import { jsonLines } from '../features/exports/json-lines-export.ts';
import { ofxStatements } from '../features/exports/ofx-export.ts';
import { qifLists } from '../features/exports/qif-export.ts';
import type { RowExport } from '../features/exports/row-export.ts';
import { publicId, type RowId } from '../vocabulary/ids.ts';
import type { ServiceError } from '../vocabulary/service-error.ts';
import { presentExportedRow } from './presenters/exports.ts';
import type { Services } from './services.ts';
import type { StreamedAnswer } from './streamed-answer.ts';

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
}

/** The rows as a file. `name` begins the file's name; `ruled`: whether they went through the rules of a sync. */
export function exportAnswer(
  services: Pick<Services, 'clock' | 'categoryOf'>,
  owner: RowId<'account_record'>,
  rows: RowExport,
  { format = 'csv', bom = false, defuse_formulas: defuse = true }: ExportSettings,
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
      return jsonLines(
        rows,
        (row, account) => presentExportedRow(row, publicId('account', account.id), shown),
        explained,
        signal,
      );
    },
  }[format];
  return { mediaType: EXPORT_MEDIA_TYPES[format], fileName: fileName(rows, name, format), text };
}

/** The last line of an export that could not be read to its end. */
function explained({ type, code, message }: ServiceError) {
  return { error: { type, code, message } };
}

function fileName({ accounts }: RowExport, name: string, format: ExportFormat): string {
  const window = accounts.find((account) => account.window !== null)?.window;
  const days = window == null ? '' : `-${window.from}-to-${window.to}`;
  return `${name}${days}.${format === 'ofx1' ? 'ofx' : format}`;
}
