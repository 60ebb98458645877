/** A room: its files may import each other. */
export interface Room {
  readonly floor: number;
  readonly name: string;
}

/** Outside the floors: imported only by the code that wires it up. */
export const SANDBOX = 'sandbox';
/** What simulators share. */
const SIMULATOR_KIT = `${SANDBOX}/shared`;
/** What adapters of providers share. */
export const KIT = 'src/connectors/providers/kit';
/** What connectors of destinations share. */
const DESTINATION_KIT = 'src/connectors/destinations/kit';
/** The frame that the surfaces are mounted on. */
export const FRAME = 'src/surfaces/http';
/** The words of all pages; they and the frame, whose pages have words too, are one room. */
export const WORDS = 'src/surfaces/text';
export const TOP_FLOOR = 6;

/**
 * The rooms of `src/features` and, of each, the rooms it may use: what is listed is allowed, nothing else is. A room may
 * use only rooms above it in this table, so no two can depend on each other.
 */
export const FEATURE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  events: [],
  idempotency: [],
  rules: [],
  'rate-limits': [],
  'saved-views': [],
  'outside-calls': [],
  'provider-gateway': ['outside-calls'],
  encryption: [],
  access: ['events', 'rate-limits'],
  audit: ['access'],
  'sign-in': ['access', 'audit', 'events', 'rate-limits'],
  oauth: ['access', 'audit', 'events', 'rate-limits', 'sign-in'],
  'event-destinations': ['access', 'events'],
  linking: ['access', 'audit', 'events', 'outside-calls', 'provider-gateway'],
  reads: ['linking', 'provider-gateway'],
  documents: ['linking', 'reads'],
  categories: ['access', 'reads'],
  syncs: ['access', 'events'],
  destinations: ['access', 'events', 'linking', 'outside-calls', 'syncs'],
  'account-removal': ['destinations', 'events', 'linking', 'syncs'],
  'sync-engine': ['destinations', 'events', 'linking', 'outside-calls', 'provider-gateway', 'syncs'],
  notifications: ['sync-engine'],
  changes: ['linking', 'provider-gateway', 'reads', 'sync-engine', 'syncs'],
  exports: ['linking', 'provider-gateway', 'rate-limits', 'reads', 'sync-engine'],
  rulesets: ['access', 'categories', 'reads', 'rules', 'sync-engine'],
  operator: ['access', 'account-removal', 'audit', 'encryption', 'oauth', 'provider-gateway', 'sign-in'],
};
const FEATURES = 'src/features/';

/** The room of a file, or null for one that is in none. `src/main.ts` and `src/app` wire it all up. */
export function roomOf(path: string): Room | null {
  const [root = '', first = '', second = '', third = ''] = path.split('/');
  if (root === SANDBOX) return { floor: 0, name: second === '' ? SANDBOX : `${SANDBOX}/${first}` };
  if (second === '' || first === 'app') return { floor: TOP_FLOOR, name: 'src (wiring)' };
  switch (first) {
    case 'vocabulary':
      return { floor: 0, name: 'src/vocabulary' };
    case 'platform':
    case 'statements':
      return { floor: 1, name: `src/${first}` };
    case 'storage':
      return { floor: 2, name: 'src/storage' };
    case 'connectors':
      return connector(path, second, third);
    case 'features':
      return third !== '' && Object.hasOwn(FEATURE_ROOMS, second)
        ? { floor: 3, name: `${FEATURES}${second}` }
        : null;
    case 'operations':
      return { floor: 4, name: 'src/operations' };
    case 'background':
      return { floor: 5, name: 'src/background' };
    case 'surfaces':
      return surface(path, second, third);
    default:
      return null;
  }
}

/** Every surface has its own room. */
function surface(path: string, name: string, file: string): Room | null {
  if (file === '') return null;
  return { floor: 5, name: path.startsWith(`${WORDS}/`) ? FRAME : `src/surfaces/${name}` };
}

/** Contracts share a room by side; every adapter has its own. */
function connector(path: string, side: string, adapter: string): Room | null {
  if (side !== 'providers' && side !== 'destinations') return null;
  const isContract = path.split('/').length === 4;
  return { floor: 2, name: `src/connectors/${side}${isContract ? '' : `/${adapter}`}` };
}

/** Why a file of `from` may not import a file of `to`, or null when it may. */
export function objection(from: Room, to: Room): string | null {
  if (from.name === to.name) return null;
  if (from.floor === TOP_FLOOR) return null;
  if (to.floor === TOP_FLOOR) return 'nothing imports the wiring';
  if (isSimulator(from) || isSimulator(to)) return sandboxObjection(from, to);
  if (to.name === KIT) return isProviderAdapter(from) ? null : 'the kit is for adapters of providers alone';
  if (to.name === DESTINATION_KIT) {
    return isDestinationAdapter(from) ? null : 'the kit is for connectors of destinations alone';
  }
  if (isProviderAdapter(to)) return 'only the gateway reaches a provider, and the wiring hands it over';
  if (to.floor < from.floor) return null;
  if (to.floor > from.floor) return 'an import never points to a higher floor';
  if (from.name.startsWith(FEATURES)) return roomObjection(from.name, to.name);
  if (to.name === FRAME && from.name.startsWith('src/surfaces/')) return null;
  if (from.name.startsWith(`${to.name}/`)) return null;
  return 'an import never points to a neighbour on the same floor';
}

/** Where one side or both are simulators. */
function sandboxObjection(from: Room, to: Room): string | null {
  if (!isSimulator(to)) return 'the sandbox imports only the sandbox';
  if (!isSimulator(from)) return 'the sandbox is reached over HTTP only';
  return to.name === SIMULATOR_KIT || to.name === SANDBOX ? null : 'no simulator imports another';
}

function isSimulator(room: Room): boolean {
  return room.name === SANDBOX || room.name.startsWith(`${SANDBOX}/`);
}

/** Between two rooms of the features. */
function roomObjection(from: string, to: string): string | null {
  const [user, used] = [from.slice(FEATURES.length), to.slice(FEATURES.length)];
  return FEATURE_ROOMS[user]?.includes(used) === true ? null : `${user} may not use ${used}`;
}

function isProviderAdapter(room: Room): boolean {
  return room.name.startsWith('src/connectors/providers/');
}

function isDestinationAdapter(room: Room): boolean {
  return room.name.startsWith('src/connectors/destinations/');
}
