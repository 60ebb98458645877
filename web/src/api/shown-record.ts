import { SHOWN_RECORD_HEADER } from '../../../src/vocabulary/shown-record.ts';

let shown: string | null = null;

/** The first account record that this document reads is the one it shows until it is closed. */
export function showRecord(id: string): void {
  shown ??= id;
}

/** Its id; null until it is known. */
export function shownRecord(): string | null {
  return shown;
}

/** Sent with every request, so that the service refuses what is meant for another account record. */
export function shownRecordHeader(): Readonly<Record<string, string>> {
  return shown === null ? {} : { [SHOWN_RECORD_HEADER]: shown };
}
