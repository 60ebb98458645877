import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Files in which packages have the text of their licence. */
const LICENCE_FILE = /^(?:licen[cs]e|notice)/i;

/**
 * Licences that ask for nothing but their text, by their SPDX ids, and what each asks for
 * (docs/decisions/dependencies.md#allowed-licences).
 */
export const ALLOWED_LICENCES: Readonly<Record<string, string>> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'its text, a note of changes, and the NOTICE of the package if it has one',
  'BlueOak-1.0.0': 'its text or a link to it',
  'BSD-2-Clause': 'its text',
  'BSD-3-Clause': 'its text, and no advertising with the names of its authors',
  ISC: 'its text',
  MIT: 'its text',
  'MIT-0': 'nothing',
  Unlicense: 'nothing',
};

/** Whether an SPDX expression lets us choose allowed licences only: of `OR` one is enough, of `AND` each counts. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(bare)) return false;
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => Object.hasOwn(ALLOWED_LICENCES, licence)));
}

const Entry = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  dev: Type.Optional(Type.Boolean()),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const Lock = Type.Object({ packages: Type.Record(Type.String(), Entry) });

export interface Shipped {
  /** Name and version as in the SBOM: `pg@8.23.1`. */
  readonly id: string;
  /** As the package says it; null if it says nothing. */
  readonly licence: string | null;
  /** Its code is inside the built web application, and it is not installed. */
  readonly bundled: boolean;
  /** Its folder, from the root of the repository. */
  readonly folder: string;
}

/** Its program is in the Debian package and in the image, though npm counts it as a package of development. */
export const RUNTIME = 'node_modules/node';

/**
 * Every package whose code reaches people: Node, those installed with the service, and those bundled into the web
 * application, which are what it imports with all that that needs.
 */
export function shippedPackages(): readonly Shipped[] {
  const { packages } = Value.Parse(Lock, JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const bundled = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = placeOf(name, from);
    if (path === null || bundled.has(path)) return;
    bundled.add(path);
    for (const needed of Object.keys(packages[path]?.dependencies ?? {})) add(needed, path);
  };
  for (const name of importedByWeb()) add(name, '');
  const byId = new Map<string, Shipped>();
  for (const [path, { name, version, license, dev }] of Object.entries(packages)) {
    if (path === '' || (dev === true && !bundled.has(path) && path !== RUNTIME)) continue;
    const id = `${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`;
    const installed = dev !== true || path === RUNTIME || byId.get(id)?.bundled === false;
    byId.set(id, { id, licence: license ?? null, bundled: !installed, folder: path });
  }
  return [...byId.values()];

  /** Where npm put what the package at `from` gets as `name`: below itself, or below what it is itself below. */
  function placeOf(name: string, from: string): string | null {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (packages[path] !== undefined) return path;
      if (at === '') return null;
    }
  }
}

function importedByWeb(): ReadonlySet<string> {
  const files = globSync('web/src/**/*.{ts,tsx,css}', { cwd: ROOT });
  return new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(
          /\b(?:from|import) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/g,
        ),
      ].map(([, name = '']) => name),
    ),
  );
}

/** The texts of the licences of what is bundled: it is not installed, so they would otherwise not reach people. */
export function bundledLicences(): string {
  const texts = shippedPackages()
    .filter(({ bundled }) => bundled)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, licence, folder }) => {
      const files = readdirSync(join(ROOT, folder)).filter((name) => LICENCE_FILE.test(name));
      const parts = files.toSorted().map((name) => readFileSync(join(ROOT, folder, name), 'utf8').trim());
      return `${id} (${licence})\n\n${parts.join('\n\n') || 'The package brings no text of its licence.'}\n`;
    });
  return `The web application contains the following packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
