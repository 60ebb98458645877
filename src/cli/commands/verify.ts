import { type Static, Type } from 'typebox';
import { presentVerification, verificationSchema } from '../../operations/v2/syncs/verifications.ts';
import { command } from '../command.ts';
import { CONTROL_LINE_BYTES } from '../control/control-protocol.ts';
import { ownedSync } from '../owned-sync.ts';
import { pairs, table } from '../table.ts';

type Result = Static<typeof verificationSchema>;

/** Problems that the table for people has. */
const SHOWN = 50;
/** Of the line between server and shell, for the result as JSON. */
const RESULT_BYTES = CONTROL_LINE_BYTES / 2;

/** `verify`: compares the destination of a sync with the bank (docs/verification.md). */
export const verify = command({
  name: 'verify',
  args: Type.Object({ sync: Type.String() }, { additionalProperties: false }),
  result: verificationSchema,
  run: async ({ app, signal }, { sync: text }) => {
    const { owner, id } = await ownedSync(app, text);
    const verification = await app.services.verifications.of(owner, id, () => undefined, signal);
    return fitted(presentVerification(verification, id));
  },
  show: shown,
  failed: ({ problems, accounts, columns, counts }) =>
    totalOf(problems) > 0 ||
    columns.length > 0 ||
    counts.not_compared > 0 ||
    accounts.some(({ failure }) => failure !== null),
});

const totalOf = (problems: Result['problems']): number =>
  Object.values(problems).reduce((sum, count) => sum + count, 0);

/** As many of the problems as a line holds. */
function fitted(result: Result): Result {
  let bytes = 0;
  const data = result.data.filter((problem) => {
    bytes += Buffer.byteLength(JSON.stringify(problem));
    return bytes <= RESULT_BYTES;
  });
  return { ...result, data, truncated: result.truncated || data.length < result.data.length };
}

function shown({ sync, compared_with, accounts, columns, counts, problems, data }: Result): string {
  const total = totalOf(problems);
  const failed = accounts.flatMap(({ account, failure }) =>
    failure === null ? [] : [[account, failure.code]],
  );
  const rows = data
    .slice(0, SHOWN)
    .map(({ kind, reason, remedy, id, date, where, fields }) => [
      kind,
      reason,
      remedy,
      date ?? '',
      id,
      where ?? '',
      fields.map(({ name }) => name).join(', '),
    ]);
  const blocks = [
    pairs([
      ['Sync', sync],
      ['Compared with', compared_with === 'destination' ? 'the destination' : 'the record of deliveries'],
      ['Rows at the bank', String(counts.bank)],
      ...(counts.destination === null
        ? []
        : [['Rows at the destination', String(counts.destination)] as const]),
      ['Alike', String(counts.alike)],
      ['Skipped by rules', String(counts.skipped_by_rules)],
      ['Unconfirmed', String(counts.in_doubt)],
      ['Not compared', String(counts.not_compared)],
      ['Refused by the last run', String(accounts.reduce((sum, one) => sum + one.rejected_by_last_run, 0))],
      ['Problems', String(total)],
    ]),
    failed.length === 0 ? '' : table([{ title: 'Account' }, { title: 'Not read' }], failed),
    columns.length === 0
      ? ''
      : table(
          LACKING,
          columns.map(({ name, problem, remedy, where }) => [name, problem, remedy, where ?? '']),
        ),
    rows.length === 0 ? '' : table(COLUMNS, rows),
    total > rows.length ? `${total - rows.length} more problems.` : '',
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

const LACKING = ['Column', 'Problem', 'Remedy', 'Where'].map((title) => ({ title }));
const COLUMNS = ['Kind', 'Reason', 'Remedy', 'Date', 'Row', 'Where', 'Fields'].map((title) => ({ title }));
