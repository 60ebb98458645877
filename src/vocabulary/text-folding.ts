const ASCII = /^[\0-\x7f]*$/;

/** The text with every accent in its letter where there is a letter for it. */
export function composed(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC');
}

/**
 * Upper case, because lower case depends on what is beside a letter: a final Σ becomes another letter than one
 * before others, and a word would not be found in a longer one. By way of lower case, for the one capital, ẞ, that upper
 * case keeps apart from SS.
 */
export function folded(text: string): string {
  return ASCII.test(text) ? text.toUpperCase() : composed(text).toLowerCase().toUpperCase();
}
