import type { StandingRow, StoodAs } from '../../../connectors/destinations/outgoing-chunk.ts';
import type { Change } from '../compare/change.ts';

export const NOTHING_STANDS: ReadonlyMap<string, StandingRow> = new Map();

/**
 * What is left to send when some rows stand at the destination. A row that an earlier attempt of the chunk wrote is not
 * sent again; one that stood there before may show something else and is sent as an update.
 */
export function withStanding(changes: readonly Change[], standing: ReadonlyMap<string, StandingRow>) {
  const refs = new Map<string, string>();
  const stood = new Map<string, StoodAs>();
  const unsent: Change[] = [];
  for (const change of changes) {
    const found = change.change === 'new' ? standing.get(change.id) : undefined;
    if (found === undefined) {
      unsent.push(change);
      continue;
    }
    const { remoteRef, older } = found;
    if (remoteRef !== null) refs.set(change.id, remoteRef);
    if (!older) continue;
    stood.set(change.id, 'updated');
    unsent.push({ ...change, change: 'updated', remoteRef });
  }
  return { refs, stood, unsent };
}
