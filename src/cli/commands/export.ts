import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Type } from 'typebox';
import { EXPORT_FORMATS, exportAnswer } from '../../operations/v2/exports.ts';
import { command } from '../command.ts';
import { ownedSync } from '../owned-sync.ts';

const Flag = Type.Optional(Type.Boolean());
const Day = Type.Optional(Type.String());

/** `export`: writes the rows of a sync to a file (docs/exports.md). The file appears when it is whole. */
export const exportRows = command({
  name: 'export',
  args: Type.Object(
    {
      sync: Type.String(),
      /** Absolute: a file, or a directory that is there. */
      output: Type.String(),
      format: Type.Union(EXPORT_FORMATS.map((format) => Type.Literal(format))),
      from: Day,
      to: Day,
      bom: Flag,
      keep_formulas: Flag,
    },
    { additionalProperties: false },
  ),
  result: Type.Object({ sync: Type.String(), file: Type.String(), bytes: Type.Integer() }),
  run: async (
    { app, signal },
    { sync: text, output, format, from, to, bom = false, keep_formulas = false },
  ) => {
    const { services } = app;
    const { owner, id } = await ownedSync(app, text);
    const asked = { from: from ?? null, to: to ?? null };
    const rows = await services.exports.ofSync(owner, id, asked, () => undefined);
    const settings = { format, bom, defuse_formulas: !keep_formulas };
    const answer = exportAnswer(services, owner, rows, settings, { name: text, ruled: true });
    const file = (await isDirectory(output)) ? join(output, answer.fileName) : output;
    const bytes = await written(file, await answer.text(signal));
    return { sync: text, file, bytes };
  },
  show: ({ sync, file, bytes }) => `Exported ${sync} to ${file} (${bytes} bytes).`,
});

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Writes beside the file and renames at the end, so that what has the file's name is never half of it. */
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
