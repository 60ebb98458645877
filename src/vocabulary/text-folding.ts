const ASCII = /^[\0-\x7f]*$/;

/** The text with accents composed into their letters where possible. */
export function composed(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC');
}

/**
 * Upper case, because lower case depends on neighbouring letters: a final Σ has a different form, so a word would not
 * be found in a longer one. Lower-cased first because of the one capital, ẞ, that upper-casing does not turn into SS.
 */
export function folded(text: string): string {
  return ASCII.test(text) ? text.toUpperCase() : composed(text).toLowerCase().toUpperCase();
}
