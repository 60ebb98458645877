interface CsvLineOptions {
  /** Whether a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
  readonly defuse: boolean;
}

const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/**
 * What a spreadsheet takes for a formula, also where it reads full-width and small signs as the plain ones and drops what
 * nobody sees in front of them, or what another defused cell would look like. Unicode calls most of that ignorable by default
 * (DI), but not the blank of Braille.
 */
const FORMULA = /^['\s\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^'*[\t\r\n]/u;

/** A line of cells with its end. */
export function csvLine(values: readonly (string | null)[], { defuse }: CsvLineOptions): string {
  return values.map((value) => cell(defuse ? defused(value ?? '') : (value ?? ''))).join(',') + LINE_END;
}

/**
 * The text, with an apostrophe in front where it begins like a formula and is no number. A text that begins with
 * apostrophes and then like a formula gets one more, so removing one where a formula follows gives every text back.
 */
export function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
