import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { ExportedRow, RowExport } from './row-export.ts';

/**
 * One JSON object a line, as `present` shows a row. Where reading fails after the first piece, the last line is what
 * `explain` says of it, and the error is raised afterwards.
 */
export async function* jsonLines(
  { accounts }: RowExport,
  present: (row: ExportedRow, account: DeliveryAccount) => unknown,
  explain: (error: ServiceError) => unknown,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for (const { account, pages } of accounts) {
      for await (const page of pages(signal)) {
        const text = page.map((row) => `${JSON.stringify(present(row, account))}\n`).join('');
        if (text === '') continue;
        begun = true;
        yield text;
      }
    }
  } catch (error) {
    if (begun) {
      const known = error instanceof ServiceError ? error : new ServiceError('internal_error');
      yield `${JSON.stringify(explain(known))}\n`;
    }
    throw error;
  }
}
