/** A part of the house: files of one room may import each other. */
export interface Room {
  readonly floor: number;
  readonly name: string;
}

/** Stands beside the house: below everything that wires it up, reached by nobody else. */
export const SANDBOX = 'src/sandbox';
/** The frame that the doors hang in. */
export const FRAME = 'src/surfaces/http';
export const TOP_FLOOR = 5;

/** The room of a file, or null for one that stands in none. Files directly in src and the command line wire it all up. */
export function roomOf(path: string): Room | null {
  const [, first = '', second = '', third = ''] = path.split('/');
  if (second === '' || first === 'cli') return { floor: TOP_FLOOR, name: 'src (wiring)' };
  switch (first) {
    case 'vocabulary':
      return { floor: 0, name: 'src/vocabulary' };
    case 'platform':
      return { floor: 1, name: 'src/platform' };
    case 'storage':
      return { floor: 2, name: 'src/storage' };
    case 'connectors':
      return connector(path, second, third);
    case 'features':
      return { floor: 3, name: 'src/features' };
    case 'background':
      return { floor: 4, name: 'src/background' };
    case 'surfaces':
      return third === '' ? null : { floor: 4, name: `src/surfaces/${second}` };
    case 'sandbox':
      return { floor: 0, name: SANDBOX };
    default:
      return null;
  }
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
  if (from.name === SANDBOX) return 'the sandbox imports only the sandbox';
  if (to.name === SANDBOX) return 'the sandbox is reached over HTTP only';
  if (isProviderAdapter(to))
    return 'the gateway is the only door to a provider, and the wiring hands it over';
  if (to.floor < from.floor) return null;
  if (to.floor > from.floor) return 'an import never points to a higher floor';
  if (to.name === FRAME && from.name.startsWith('src/surfaces/')) return null;
  if (from.name.startsWith(`${to.name}/`)) return null;
  return 'an import never points to a neighbour on the same floor';
}

function isProviderAdapter(room: Room): boolean {
  return room.name.startsWith('src/connectors/providers/');
}
