/** What the web application is made of besides its features, and what each may use. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  format: [],
  theme: ['api'],
  text: ['format'],
  api: ['format'],
  parts: ['api', 'format', 'text'],
  shell: ['api', 'format', 'parts', 'text'],
};

/**
 * The features of the web application and, of each, the features it may use. A feature may use only features above it in
 * this table, so no two can depend on each other; what both need is in a shared folder.
 */
export const WEB_FEATURES: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  banks: [],
  transactions: ['accounts'],
  rules: [],
  destinations: [],
  developer: [],
  investments: ['transactions'],
  recurring: ['accounts', 'transactions'],
  merchants: ['accounts', 'recurring', 'transactions'],
  syncs: ['destinations'],
  home: ['accounts', 'banks', 'investments', 'recurring', 'syncs'],
};

const ROOT = 'web/src/';
const ROUTES = /^[a-z]+\/routes\.ts$/;
/** What a feature that another one uses keeps to itself. */
const OWN = /-page\.tsx$|\.css$/;

/** Why a file of the web application may not import another one of it, or null if it may. Paths from the project's root. */
export function webObjection(path: string, target: string): string | null {
  const [from, to] = [path.slice(ROOT.length), target.slice(ROOT.length)];
  const [room, used] = [roomOf(from), roomOf(to)];
  if (room === used) return null;
  if (room === null)
    return ROUTES.test(to) || isShared(used) ? null : 'of a feature, only its routes are wired up';
  if (used === null) return 'nothing imports the wiring';
  if (isShared(room)) return SHARED[room]?.includes(used) === true ? null : `${room} may not use ${used}`;
  if (!Object.hasOwn(WEB_FEATURES, room)) return `${room} is in no table of folders`;
  if (used === 'theme') return 'only the wiring uses the theme';
  if (isShared(used)) return null;
  if (WEB_FEATURES[room]?.includes(used) !== true) return `${room} may not use ${used}`;
  return ROUTES.test(to) || OWN.test(to) ? `${used} keeps its routes, pages and styles to itself` : null;
}

/** The folder of a file, or null for one that is in none, which wires the application up. */
function roomOf(path: string): string | null {
  const end = path.indexOf('/');
  return end === -1 ? null : path.slice(0, end);
}

function isShared(room: string | null): boolean {
  return room !== null && Object.hasOwn(SHARED, room);
}
