import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readText } from './tree.ts';

const manifest = Type.Object({
  dependencies: Type.Record(Type.String(), Type.String()),
  devDependencies: Type.Record(Type.String(), Type.String()),
  scripts: Type.Record(Type.String(), Type.String()),
});
const installed = Type.Object({ version: Type.String(), license: Type.String() });

/** Direct dependencies of package.json, version by name. */
export function dependenciesOf(): { runtime: Record<string, string>; development: Record<string, string> } {
  const { dependencies, devDependencies } = Value.Parse(manifest, JSON.parse(readText('package.json')));
  return { runtime: dependencies, development: devDependencies };
}

export function scriptsOf(): Record<string, string> {
  return Value.Parse(manifest, JSON.parse(readText('package.json'))).scripts;
}

/** What an installed package says of itself. */
export function installedPackage(name: string): { version: string; license: string } {
  return Value.Parse(installed, JSON.parse(readText(`node_modules/${name}/package.json`)));
}
