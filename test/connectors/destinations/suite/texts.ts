/** Texts that a spreadsheet, a database or a terminal may take for something else than text. */
export const TEXTS = {
  'a formula': '=HYPERLINK("http://x.test","y")',
  'a formula after a sign': '+1+1',
  'a formula after a minus sign': '-2+3',
  'a formula after an at sign': '@SUM(1)',
  'a quote before a formula': "'=1+1",
  'control characters': 'a\u0001b\u001bc\u007fd',
  'a line break and a tab': 'one\ntwo\tthree',
  'right-to-left marks': '\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627',
  'a pair beyond the plane': '\ud83c\udf5c ramen',
  markup: '<b>&amp;</b>{{x}}',
  'a number': '0123456789012345678901',
  'a date': '2026-01-02',
  'spaces around': '  both  ',
  '50,000 characters': 'x'.repeat(50_000),
};
