import { roomOf, TOP_FLOOR } from './floors.ts';

const CONNECTORS = 'src/connectors/destinations/';
/** The engine writes, the room of destinations links and aims, exports write the same values; everyone else asks one of them. */
const REACH_CONNECTORS = [
  'src/features/sync-engine/',
  'src/features/destinations/',
  'src/features/exports/',
  CONNECTORS,
];
/** What the wiring hands to connectors, and the room of rate limits implements. */
const HANDED_OVER = `${CONNECTORS}destination-integration.ts`;

/** Why a file may not import a connector of destinations or its contract, or null when it may. */
export function destinationObjection(path: string, target: string): string | null {
  if (!target.startsWith(CONNECTORS)) return null;
  if (target === HANDED_OVER && path.startsWith('src/features/rate-limits/')) return null;
  if (REACH_CONNECTORS.some((room) => path.startsWith(room))) return null;
  if (roomOf(path)?.floor === TOP_FLOOR) return null;
  return 'a destination is reached through the engine or the room of destinations, and the wiring hands it over';
}
