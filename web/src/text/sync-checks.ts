import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

/** What the next run of a sync would do. */
export const DRY_RUN = translated('DRY_RUN', {
  title: 'Dry run',
  intro: 'Reads at the bank what the next run would read, and shows what it would do. Nothing is written.',
  action: 'Start the dry run',
  again: 'Do it again',
  reading: 'Reading at the bank… This can take up to two minutes.',
  stop: 'Stop',
  failed: 'The dry run did not work',
  nothing: 'The next run would change nothing',
  nothingText: (rows: number) => `${counted(rows, 'row is', 'rows are')} up to date already.`,
  summary: (added: number, updated: number, removed: number, skipped: number) =>
    [
      `${counted(added, 'row', 'rows')} to add`,
      ...(updated === 0 ? [] : [`${counted(updated, 'row', 'rows')} to update`]),
      ...(removed === 0 ? [] : [`${counted(removed, 'row', 'rows')} to remove`]),
      ...(skipped === 0 ? [] : [`${counted(skipped, 'row', 'rows')} that rules skip`]),
    ].join(', '),
  unchanged: (rows: number) => `${counted(rows, 'row', 'rows')} unchanged`,
  unreadable: (rows: number) =>
    counted(
      rows,
      'row could not be read and would be rejected',
      'rows could not be read and would be rejected',
    ),
  action_of: { add: 'Add', update: 'Update', remove: 'Remove', skip: 'Skip' },
  removed: 'A row that the bank no longer reports',
  truncated: (rows: number) =>
    `The first ${counted(rows, 'row is', 'rows are')} listed; the counts cover all of them.`,
  rows: 'Rows',
  tags: (tags: string) => `Tags: ${tags}`,
  memo: (memo: string) => `Memo: ${memo}`,
  rules: (count: number) => `${counted(count, 'rule', 'rules')} applied`,
  noDay: 'No day yet',
});

/** Whether the destination shows what the bank has. */
export const VERIFY = translated('VERIFY', {
  title: 'Verify',
  intro:
    'Reads everything at the bank and at the destination, and compares row by row. Nothing is written. It can take some minutes.',
  action: 'Start verifying',
  again: 'Verify again',
  reading: 'Comparing the bank with the destination… This can take up to ten minutes.',
  stop: 'Stop',
  failed: 'Verifying did not work',
  alike: 'The destination shows what the bank has',
  alikeText: (rows: number) => `${counted(rows, 'row is', 'rows are')} alike.`,
  recordText: (rows: number) =>
    `${counted(rows, 'row was', 'rows were')} delivered as the bank has them. A webhook cannot be read, so what its receiver did with them is unknown.`,
  differs: (problems: number) => counted(problems, 'difference', 'differences'),
  differsText: 'A difference is not always an error: someone may have edited or deleted a row on purpose.',
  counts: {
    bank: 'Rows at the bank',
    destination: 'Rows at the destination',
    alike: 'Alike',
    skipped_by_rules: 'Skipped by rules',
    in_doubt: 'Unconfirmed until the next run',
    others: 'Other rows there',
    unreadable: 'Could not be read',
    not_compared: 'Not compared',
  },
  kind: { missing: 'Missing', extra: 'Extra', different: 'Different', doubled: 'There twice' },
  reason: {
    not_delivered_yet: 'Not delivered yet.',
    refused: 'The destination cannot show this row as it is.',
    removed_there: 'It was delivered and has been removed there.',
    withdrawn_by_bank: 'The bank no longer reports it.',
    still_there: 'It was removed and is there again.',
    unknown_position: 'Neither the bank nor the record of deliveries knows this position.',
    edited_there: 'It was edited there.',
    account_differs: 'Only the name, number or bank of the account differs.',
    changed_since: 'The bank, a rule or a mapping changed it after it was delivered.',
    change_refused: 'It changed, and the destination cannot show what it is now.',
    replaced_since: 'It is there under an earlier id.',
    stands_twice: 'It is there more than once.',
  },
  remedy: {
    run: 'The next run fixes it.',
    resync: 'A resync fixes it, and undoes edits that were meant.',
    person: 'Only you can fix it.',
  },
  refusal: {
    amount: 'Its amount has more digits than the destination holds.',
    currency: 'It is in another currency than the budget.',
    day: 'The destination does not take its day.',
    size: 'Its text is longer than the destination holds.',
  },
  column: {
    absent: (name: string) => `The column ${name} is missing`,
    wrong_type: (name: string) => `The column ${name} has a type that cannot hold it`,
  },
  columnRemedy: {
    run: 'The next run adds it.',
    resync: 'A resync adds and fills it.',
    person: 'Change its type there.',
  },
  columns: 'Columns',
  problems: 'Differences',
  expected: (name: string, value: string) => `${name} should be ${value}`,
  found: (value: string) => `shows ${value}`,
  quoted: (value: string) => `“${value}”`,
  empty: 'empty',
  nothing: 'nothing',
  truncated: (rows: number) => `The first ${counted(rows, 'difference is', 'differences are')} listed.`,
  unreadable: (rows: number) =>
    counted(
      rows,
      'row could not be read and was not compared',
      'rows could not be read and were not compared',
    ),
  rejected: (rows: number) => `${counted(rows, 'row', 'rows')} refused by the destination in the last run`,
});
