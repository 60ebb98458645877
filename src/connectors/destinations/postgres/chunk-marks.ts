import { quoted } from './names.ts';
import type { Session } from './session.ts';

/** Where the marks of chunks are (docs/destination-services.md#postgres). */
export const CHUNKS = 'tributary_chunks';

/** Makes the table of marks in the open transaction, unless it is there. Returns its name, quoted. Raises what `ask` raises. */
export async function ensureChunks(session: Session, schema: string, signal: AbortSignal): Promise<string> {
  const name = quoted(schema, CHUNKS);
  const [found] = await session.ask('select to_regclass($1)::text as name', [name], signal);
  if (found?.name === null || found?.name === undefined) {
    await session.ask(
      `create table if not exists ${name} (
         event_id text primary key, sync text not null, outcome text, written_at timestamptz not null default now())`,
      [],
      signal,
    );
    await session.ask(
      `comment on table ${name} is 'Which chunks of rows were written; needed for 30 days.'`,
      [],
      signal,
    );
  }
  return name;
}
