import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { ExportedAccount, ExportedRow, RowExport } from './row-export.ts';

/**
 * One JSON object per line, as `present` shows a row. If reading fails after the first piece, the last line is the
 * result of `explain`, and the error is then raised.
 */
export async function* jsonLines(
  { accounts }: RowExport,
  present: (row: ExportedRow, account: DeliveryAccount) => unknown,
  explain: (error: ServiceError) => unknown,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for (const exported of accounts) {
      const { account } = exported;
      for await (const page of exported.pages(signal)) {
        const text = page.map((row) => `${JSON.stringify(present(row, account))}\n`).join('');
        if (text === '') continue;
        begun = true;
        yield text;
      }
      const aside = asideLines(exported);
      if (aside !== '') yield aside;
    }
  } catch (error) {
    if (begun) {
      const known = error instanceof ServiceError ? error : new ServiceError('internal_error');
      yield `${JSON.stringify(explain(known))}\n`;
    }
    throw error;
  }
}

/** Rows that the file lacks because they could not be read. */
function asideLines({ account, takeAside }: ExportedAccount): string {
  const lines = takeAside().map(({ id, day, field, reason }) =>
    JSON.stringify({
      object: 'row_set_aside',
      account: publicId('account', account.id),
      id,
      day,
      field,
      reason,
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
