import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

/** Rows of a bank that could not be read (docs/rows-set-aside.md), beside what is shown without them. */
export const ROWS_ASIDE = translated('ROWS_ASIDE', {
  missing: (count: number, account: string) =>
    `${counted(count, 'row', 'rows')} of ${account} could not be read, so ${count === 1 ? 'it is' : 'they are'} missing here`,
  notInFile: (count: number, account: string) =>
    `${counted(count, 'row', 'rows')} of ${account} could not be read, so ${count === 1 ? 'it is' : 'they are'} not in the file`,
});
