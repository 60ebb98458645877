import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { destinationObjection } from './destination-connectors.ts';
import { objection, roomOf, TOP_FLOOR } from './floors.ts';
import { type Import, importsOf } from './import-list.ts';
import type { Tree } from './tree.ts';

/** Packages a bare import may name. */
export type Packages = ReadonlySet<string>;

/** Every breach of the import rule in a tree of `src/**` and `sandbox/**`, one line each; none when the house is in order. */
export function importBreaches(tree: Tree, dependencies: Packages): string[] {
  const breaches: string[] = [];
  const edges = new Map<string, string[]>();
  for (const [path, source] of tree) {
    const targets: string[] = [];
    edges.set(path, targets);
    if (roomOf(path) === null) breaches.push(`${path}: is in no room of the house`);
    for (const one of importsOf(source)) {
      const say = (what: string) => breaches.push(`${path}:${one.line}: ${one.specifier}: ${what}`);
      if (one.reExport) say('import from where a thing is defined; no re-exports');
      if (!one.specifier.startsWith('.')) {
        const why =
          one.specifier === CLIENT
            ? clientObjection(path)
            : (packageObjection(one.specifier, dependencies) ?? transportObjection(path, one.specifier));
        if (why !== null) say(why);
        continue;
      }
      const target = resolve(path, one);
      const why = fileObjection(path, target, one, tree);
      if (why !== null) say(why);
      if (tree.has(target)) targets.push(target);
    }
    if (/^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/m.test(source))
      breaches.push(`${path}: no default exports`);
  }
  return [...breaches, ...cycles(edges)];
}

function resolve(path: string, one: Import): string {
  return posix.join(posix.dirname(path), one.specifier);
}

function fileObjection(path: string, target: string, one: Import, tree: Tree): string | null {
  if (!one.specifier.endsWith('.ts')) return 'a relative import ends in .ts';
  if (!/^(?:src|sandbox)\//.test(target)) return 'source imports nothing from outside src and sandbox';
  if (!tree.has(target)) return 'there is no such file';
  if (one.defaulted) return 'our files have no default export';
  const [from, to] = [roomOf(path), roomOf(target)];
  const why =
    from === null || to === null
      ? null
      : (objection(from, to) ?? storageObjection(path, target, one.loaded === 'never'));
  return why ?? destinationObjection(path, target);
}

/** Surfaces call features; of the storage they know the shapes of rows. */
function storageObjection(path: string, target: string, isType: boolean): string | null {
  const reaches = path.startsWith('src/surfaces/') && target.startsWith('src/storage/') && !isType;
  return reaches ? 'a surface calls features, never the storage' : null;
}

function packageObjection(specifier: string, dependencies: Packages): string | null {
  if (specifier.startsWith('node:')) return isBuiltin(specifier) ? null : 'no such module of Node';
  const [scope = '', name = ''] = specifier.split('/');
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope;
  return dependencies.has(packageName)
    ? null
    : `${packageName} is not among the dependencies of package.json`;
}

/** The TypeScript client, packages/client: for code that calls the service over HTTP. */
const CLIENT = '#client';

function clientObjection(path: string): string | null {
  const calls = ['src/app/demo/', 'src/surfaces/cli/client/'].some((folder) => path.startsWith(folder));
  return calls ? null : 'only the demonstration and client commands call the service over HTTP';
}

/** Packages of one transport: a file that imports one can serve no other. */
const TRANSPORTS: ReadonlySet<string> = new Set(['fastify']);

function transportObjection(path: string, specifier: string): string | null {
  const room = roomOf(path);
  if (!TRANSPORTS.has(specifier) || room === null || room.floor === TOP_FLOOR) return null;
  return path.startsWith('src/surfaces/') ? null : `only surfaces know ${specifier}`;
}

/** Each import cycle once, named from its first file in alphabetical order. */
export function cycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at !== -1) {
      found.add(`cycle: ${fromSmallest(trail.slice(at)).join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of edges.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return [...found];
}

function fromSmallest(ring: readonly string[]): string[] {
  const at = ring.indexOf(ring.toSorted()[0] ?? '');
  const turned = [...ring.slice(at), ...ring.slice(0, at)];
  return [...turned, ...turned.slice(0, 1)];
}
