import { SHOWN_RECORD_HEADER } from '../../../src/vocabulary/shown-record.ts';
import { appUrl } from './app-url.ts';

/** The browser's storage of this tab says so after the page has been loaded anew. */
const SWITCHED = 'account-record-switched';
let shown: string | null = null;

/** The first account record that this document reads of is the one it shows for as long as it lives. */
export function showRecord(id: string): void {
  shown ??= id;
}

/** Whether there is something to lose if the document is left. */
export function isRecordShown(): boolean {
  return shown !== null;
}

/** Goes with every request, so that the service refuses what is meant for another account record. */
export function shownRecordHeader(): Readonly<Record<string, string>> {
  return shown === null ? {} : { [SHOWN_RECORD_HEADER]: shown };
}

/** Whether a refusal says that the browser works with another account record now. */
export function isOfOtherRecord(param: string | null): boolean {
  return param === SHOWN_RECORD_HEADER;
}

/** Loads home anew, since this page is of things of the other account record. The promise stays open. */
export function leaveToOtherRecord(): Promise<never> {
  try {
    sessionStorage.setItem(SWITCHED, 'yes');
  } catch {
    // Storage may be off: then nothing says why.
  }
  location.assign(appUrl(''));
  return new Promise(() => undefined);
}

/** Whether the document was loaded anew for that reason; asked once. */
export function wasSwitched(): boolean {
  try {
    const switched = sessionStorage.getItem(SWITCHED) !== null;
    sessionStorage.removeItem(SWITCHED);
    return switched;
  } catch {
    return false;
  }
}
