interface CsvLineOptions {
  /** Whether a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
  readonly defuse: boolean;
}

const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/**
 * What a spreadsheet treats as a formula, even if it reads full-width and small signs as plain ones and drops invisible
 * characters in front of them, or what looks like a defused cell. Unicode calls most such characters default ignorable
 * (DI), but not the Braille blank.
 */
const FORMULA = /^['\s\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^'*[\t\r\n]/u;

/** A line of cells with its line ending. */
export function csvLine(values: readonly (string | null)[], { defuse }: CsvLineOptions): string {
  return values.map((value) => cell(defuse ? defused(value ?? '') : (value ?? ''))).join(',') + LINE_END;
}

/**
 * The text, with an apostrophe in front if it begins like a formula and is not a number. A text that begins with
 * apostrophes and then like a formula gets one more, so that removing one before a formula restores every text.
 */
export function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
