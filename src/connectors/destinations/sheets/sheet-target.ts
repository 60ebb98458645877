import { DestinationFailure } from '../destination-failure.ts';

/** Where a destination is aimed. */
export interface SheetTarget {
  readonly spreadsheet: string;
  readonly sheet: number;
}

/** Raises DestinationFailure for a target that names no tab. */
export function sheetTarget(target: Readonly<Record<string, string>>): SheetTarget {
  const { spreadsheet_id: spreadsheet = '', sheet_id: sheet = '' } = target;
  if (spreadsheet !== '' && /^\d{1,10}$/.test(sheet)) return { spreadsheet, sheet: Number(sheet) };
  throw new DestinationFailure(
    'destination_resource_missing',
    'Google Sheets: the destination names no spreadsheet, or no tab of one by the number that Google gives it.',
    { outcome: 'refused', retryable: false },
  );
}
