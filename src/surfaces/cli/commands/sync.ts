import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { asideIn } from '../../../features/exports/aside-rows.ts';
import { EXPORT_FORMATS, exportAnswer } from '../../../operations/v2/exports.ts';
import { presentVerification, verificationSchema } from '../../../operations/v2/syncs/verifications.ts';
import { parsePublicId, publicId } from '../../../vocabulary/ids.ts';
import { fileNameOf } from '../../../vocabulary/shown-names.ts';
import { type CommandParts, command } from '../command.ts';
import { CONTROL_LINE_BYTES } from '../control/control-protocol.ts';
import { usageFailure } from '../failure.ts';
import { pairs, table } from '../table.ts';

const Flag = Type.Optional(Type.Boolean());
const Day = Type.Optional(Type.String());

/** `export`: writes the rows of a sync to a file (docs/exports.md). The file appears when it is complete. */
export const exportRows = command({
  name: 'export',
  args: Type.Object(
    {
      sync: Type.String(),
      /** Absolute: a file, or an existing directory. */
      output: Type.String(),
      format: Type.Union(EXPORT_FORMATS.map((format) => Type.Literal(format))),
      from: Day,
      to: Day,
      bom: Flag,
      keep_formulas: Flag,
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    sync: Type.String(),
    file: Type.String(),
    bytes: Type.Integer(),
    set_aside: Type.Array(Type.Object({ account: Type.String(), name: Type.String(), rows: Type.Integer() })),
  }),
  run: async (
    { app, signal },
    { sync: text, output, format, from, to, bom = false, keep_formulas = false },
  ) => {
    const { services } = app;
    const { owner, id } = await ownedSync(app, text);
    const asked = { from: from ?? null, to: to ?? null };
    const rows = await services.exports.ofSync(owner, id, asked, () => undefined);
    const settings = { format, bom, defuse_formulas: !keep_formulas };
    const { name: record } = await app.operator.accounts.find(owner);
    const name = fileNameOf(record, text);
    const answer = exportAnswer(services, owner, rows, settings, { name, ruled: true });
    const file = (await isDirectory(output)) ? join(output, answer.fileName) : output;
    const bytes = await written(file, await answer.text(signal));
    const lacking = asideIn(rows).map(({ account, rows: count }) => ({
      account: publicId('account', account.id),
      name: account.name,
      rows: count,
    }));
    return { sync: text, file, bytes, set_aside: lacking };
  },
  show: ({ sync, file, bytes }) => `Exported ${sync} to ${file} (${bytes} bytes).`,
  warning: ({ set_aside: lacking }) =>
    lacking.length === 0
      ? null
      : `The file is incomplete: ${lacking
          .map(({ account, name, rows }) => `${rows} ${rows === 1 ? 'row' : 'rows'} of ${name} (${account})`)
          .join(', ')} could not be read. Export as jsonl to see which.`,
});

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Writes to a temporary file and renames it at the end, so that the file is never incomplete. */
async function written(file: string, pieces: AsyncIterable<string>): Promise<number> {
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
  let bytes = 0;
  const handle = await open(partial, 'wx', 0o600);
  try {
    for await (const piece of pieces) {
      await handle.appendFile(piece);
      bytes += Buffer.byteLength(piece);
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return bytes;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

type Result = Static<typeof verificationSchema>;

/** Problems shown in the table for people. */
const SHOWN = 50;
/** The part of a control message for the result as JSON. */
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
    counts.unreadable > 0 ||
    accounts.some(({ failure }) => failure !== null),
});

const totalOf = (problems: Result['problems']): number =>
  Object.values(problems).reduce((sum, count) => sum + count, 0);

/** As many of the problems as fit into a message. */
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
      ['Could not be read, not compared', String(counts.unreadable)],
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

/** The operator's own machine: whichever account record has the sync. */
async function ownedSync({ operator }: CommandParts, text: string) {
  const id = parsePublicId('sync', text);
  if (id === null) throw usageFailure(`"${text}" is not the id of a sync (sync_…).`);
  return { owner: await operator.owners.ofSync(id), id };
}
