import { api } from '../../api/client.ts';
import { exportFile } from '../../api/pieces.ts';

export const EXPORT_FORMATS = ['csv', 'ofx', 'ofx1', 'qif', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportChoice {
  readonly format: ExportFormat;
  /** Empty: from the first day of the sync. */
  readonly from: string;
  /** Empty: until today. */
  readonly to: string;
  readonly bom: boolean;
}

interface ExportProgress {
  readonly signal: AbortSignal;
  /** Hears how many bytes have arrived. */
  readonly onBytes: (bytes: number) => void;
}

/** A file with the rows of a sync, once it has been read to its end. Raises ApiError, and UnreachableError where it breaks off. */
export async function exportSync(
  sync: string,
  { format, from, to, bom }: ExportChoice,
  { signal, onBytes }: ExportProgress,
): Promise<File> {
  const response = await api.syncs.export(
    {
      id: sync,
      format,
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      ...(bom && format === 'csv' && { bom }),
    },
    { signal },
  );
  return exportFile(response, `${sync}.${format === 'ofx1' ? 'ofx' : format}`, onBytes);
}
