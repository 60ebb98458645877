import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { type Book, plainTab } from './book.ts';
import type { Books } from './books.ts';
import type { CallLimits } from './call-limits.ts';
import { shownCell } from './cell.ts';
import { DRIVE_FILE, type GoogleSignIn } from './sign-in.ts';

interface Parts {
  readonly books: Books;
  readonly authorizationServer: AuthorizationServer;
  readonly signIn: GoogleSignIn;
  readonly limits: CallLimits;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly changed: () => void;
}

interface SpreadsheetSummary {
  readonly id: string;
  readonly title: string;
  readonly trashed: boolean;
  readonly tabs: readonly {
    readonly sheetId: number;
    readonly title: string;
    readonly rowCount: number;
    readonly columnCount: number;
  }[];
}

/** The owner of the spreadsheets. */
export const SUBJECT = 'sandbox-person';

/** What a person may do to their spreadsheets and grants. Methods throw {@link ControlError} on bad input. */
export class SheetsControl extends SimulatorControl {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.faults, parts.log);
    this.#parts = parts;
  }

  spreadsheets(): readonly SpreadsheetSummary[] {
    return this.#parts.books.all().map(({ id, title, trashed, tabs }) => ({
      id,
      title,
      trashed,
      tabs: tabs.map(({ sheetId, title: name, rowCount, columnCount }) => ({
        sheetId,
        title: name,
        rowCount,
        columnCount,
      })),
    }));
  }

  /** Every row of a tab, the header first, as people see the cells. */
  grid(id: string, sheetId: number): readonly (readonly string[])[] {
    const tab = this.#tab(id, sheetId);
    return Array.from({ length: tab.lastRow + 1 }, (_, row) => tab.row(row).map(shownCell));
  }

  /** The values themselves: numbers as numbers, days as their numbers. */
  values(id: string, sheetId: number): readonly (readonly (string | number | boolean | null)[])[] {
    const tab = this.#tab(id, sheetId);
    return Array.from({ length: tab.lastRow + 1 }, (_, row) => tab.row(row).map(({ value }) => value));
  }

  /** Creates a spreadsheet of the person, with one tab of id 0; returns its id. */
  addSpreadsheet(given: {
    readonly title: string;
    readonly headers?: readonly string[];
    readonly picked?: boolean;
  }): string {
    const header = (given.headers ?? []).map((value) => ({
      value: value === '' ? null : value,
      formula: null,
      format: null,
    }));
    const columnCount = Math.max(26, header.length);
    const tabs = [plainTab(0, 'Sheet1', { columnCount, rows: header.length === 0 ? [] : [header] })];
    const book = this.#parts.books.add({ title: given.title, tabs, granted: given.picked ?? true });
    this.#parts.changed();
    return book.id;
  }

  /**
   * What a person does in the spreadsheet, in the words of the API's own requests: `deleteDimension` deletes a row,
   * `moveDimension` moves a column, `sortRange` sorts, `updateCells` types, `deleteSheet` deletes a tab.
   */
  edit(id: string, requests: readonly unknown[]): void {
    try {
      this.#parts.books.apply(this.#book(id), requests);
    } catch (error) {
      throw error instanceof VendorError ? new ControlError(error.message) : error;
    }
    this.#parts.changed();
  }

  rename(id: string, title: string): void {
    this.#book(id).title = title;
    this.#parts.changed();
  }

  /** Moves it to the bin, or restores it. */
  setTrashed(id: string, trashed: boolean): void {
    this.#book(id).trashed = trashed;
    this.#parts.changed();
  }

  /** Permanently. */
  deleteSpreadsheet(id: string): void {
    this.#book(id);
    this.#parts.books.delete(id);
    this.#parts.changed();
  }

  /** Lets the application see it, or no longer. */
  setPicked(id: string, picked: boolean): void {
    this.#book(id).granted = picked;
    this.#parts.changed();
  }

  setProtected(id: string, isProtected: boolean): void {
    this.#book(id).isProtected = isProtected;
    this.#parts.changed();
  }

  /** Makes it read-only for the person, like someone else's, or editable. */
  setReadOnly(id: string, isReadOnly: boolean): void {
    this.#book(id).isReadOnly = isReadOnly;
    this.#parts.changed();
  }

  /** From now on a batch with this text in a cell is refused; null for none. */
  refuseText(text: string | null): void {
    this.#parts.books.refusedText = text;
  }

  /** Revokes the application's access, as in the settings of the Google account. */
  revokeGrants(): void {
    this.#parts.authorizationServer.revokeSubject(SUBJECT);
  }

  /** Whether people leave the box ticked that lets the application use files. */
  setScope(granted: boolean): void {
    this.#parts.signIn.scope = granted ? DRIVE_FILE : 'openid';
  }

  /** Calls that were refused because of a quota. */
  get quotaRefusals(): number {
    return this.#parts.limits.refused;
  }

  override clear(): void {
    super.clear();
    this.#parts.limits.clear();
    this.#parts.books.refusedText = null;
  }

  #book(id: string): Book {
    const book = this.#parts.books.any(id);
    if (book === null) throw new ControlError('There is no such spreadsheet.');
    return book;
  }

  #tab(id: string, sheetId: number) {
    const tab = this.#book(id).tab(sheetId);
    if (tab === null) throw new ControlError('There is no such tab.');
    return tab;
  }
}
