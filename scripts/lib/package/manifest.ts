import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Manifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  license: Type.String(),
  bin: Type.Record(Type.String(), Type.String()),
  engines: Type.Record(Type.String(), Type.String()),
  dependencies: Type.Record(Type.String(), Type.String()),
});

/** The package.json of what is published: without anything of development. */
export function packageManifest(manifest: unknown): Static<typeof Manifest> & Record<string, unknown> {
  const { name, version, description, license, bin, engines, dependencies } = Value.Parse(Manifest, manifest);
  return { name, version, description, license, type: 'module', bin, engines, dependencies };
}

const Lock = Type.Object({
  name: Type.String(),
  version: Type.String(),
  lockfileVersion: Type.Integer(),
  packages: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
});

/** The lock of what is published: exactly the versions that were tested, without those of development. */
export function installedLock(lock: unknown): unknown {
  const { name, version, lockfileVersion, packages } = Value.Parse(Lock, lock);
  const kept = Object.entries(packages).flatMap(([path, entry]) => {
    if (entry.dev === true || entry.link === true) return [];
    if (path !== '') return path.startsWith('node_modules/') ? [[path, entry] as const] : [];
    const { devDependencies: _, workspaces: __, ...root } = entry;
    return [[path, root] as const];
  });
  return { name, version, lockfileVersion, requires: true, packages: Object.fromEntries(kept) };
}
