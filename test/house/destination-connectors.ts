import { roomOf, TOP_FLOOR } from './floors.ts';

const CONNECTORS = 'src/connectors/destinations/';
/** The engine writes, the room of destinations links and aims; everybody else asks one of the two. */
const REACH_CONNECTORS = ['src/features/sync-engine/', 'src/features/destinations/', CONNECTORS];

/** Why a file may not import a connector of destinations or its contract, or null when it may. */
export function destinationObjection(path: string, target: string): string | null {
  if (!target.startsWith(CONNECTORS)) return null;
  if (REACH_CONNECTORS.some((room) => path.startsWith(room))) return null;
  if (roomOf(path)?.floor === TOP_FLOOR) return null;
  return 'a destination is reached through the engine or the room of destinations, and the wiring hands it over';
}
