import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { frozenMigrations, migrationSums } from './lib/migration-sums.ts';
import { documentedPages, withDocumentedVersion } from './lib/release/documented-version.ts';
import { isAllowed, RUNTIME, type Shipped, shippedPackages } from './lib/release/licences.ts';

/**
 * `npm run release -- --version X.Y.Z --out DIR`: the files of a release, from a clean checkout. It checks first, then
 * commits what a release changes in the repository, then builds from that commit. `--without-deb` leaves out the Debian
 * package, and `--prepared` refuses to commit: the commit must be that of the release already. It publishes nothing and
 * prints the commands by which a person does. CONTRIBUTING.md#a-release says more.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/;
const UNRELEASED = ' (unreleased)';
const MANIFESTS = ['package.json', 'package-lock.json', 'packages/client/package.json'] as const;
const VERSION_FILE = 'src/vocabulary/software-version.ts';
const STORED = 'test/storage/earlier';
const run = promisify(execFile);

const Manifest = Type.Object({ version: Type.String(), packages: Type.Optional(Type.Unknown()) });
const Versioned = Type.Object({ version: Type.String() });
const Root = Type.Object({ '': Versioned });
const Locked = Type.Object({ packages: Type.Record(Type.String(), Type.Partial(Versioned)) });

const Component = Type.Object({
  'bom-ref': Type.String(),
  scope: Type.String(),
  properties: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
});
const Bom = Type.Object({
  serialNumber: Type.String(),
  metadata: Type.Object({
    timestamp: Type.String(),
    tools: Type.Array(Type.Object({ vendor: Type.String(), name: Type.String(), version: Type.String() })),
    component: Type.Object({ name: Type.String() }),
  }),
  components: Type.Array(Component),
  dependencies: Type.Array(Type.Object({ ref: Type.String(), dependsOn: Type.Array(Type.String()) })),
});

class Refusal extends Error {}

const { values } = parseArgs({
  options: {
    version: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
    'without-deb': { type: 'boolean', default: false },
    prepared: { type: 'boolean', default: false },
  },
});

try {
  await release(values.version, values.out);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function release(version: string, given: string): Promise<void> {
  if (!VERSION.test(version) || given === '')
    throw new Refusal('Name the version and a folder: npm run release -- --version 1.2.3 --out ../release');
  const out = resolve(given);
  await refuseUnclean(out);
  await refuseTagged(version);
  if (!values['without-deb']) {
    await refuseOtherNode();
    await requireDpkg();
  }
  const notes = await notesOf(version);
  const shipped = shippedPackages();
  refuseLicences(shipped);
  const commit = await prepare(version);
  const workspace = await mkdtemp(join(tmpdir(), 'tributary-release-'));
  try {
    await mkdir(out, { recursive: true });
    const folder = join(workspace, 'package');
    await node('scripts/build-package.ts', folder);
    const files = [await pack(folder, out)];
    await rm(path('packages/client/dist'), { recursive: true, force: true });
    files.push(await pack(path('packages/client'), out));
    if (!values['without-deb']) {
      const built = await node('scripts/build-deb.ts', '--package', folder, '--out', out);
      files.push(built.trim().slice(out.length + 1));
    }
    await writeFile(join(out, `tributary-${version}.cdx.json`), await billOfMaterials(shipped));
    await writeFile(join(out, 'release-notes.md'), `${notes}\n`);
    await writeSums(out);
    process.stdout.write(announcement(version, commit, out, files));
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function refuseUnclean(out: string): Promise<void> {
  const changed = (await git('status', '--porcelain')).trim();
  if (changed !== '')
    throw new Refusal(`The checkout has changes; commit them or set them aside first:\n${changed}`);
  if (existsSync(out) && (await readdir(out)).length > 0)
    throw new Refusal(`${out} is not empty; name a new folder.`);
}

/** A version that is tagged elsewhere may be published already. */
async function refuseTagged(version: string): Promise<void> {
  const tagged = (await git('tag', '--list', `v${version}`, '--format=%(objectname) %(*objectname)')).trim();
  if (tagged !== '' && !tagged.includes((await git('rev-parse', 'HEAD')).trim()))
    throw new Refusal(
      `The tag v${version} names another commit. Check that commit out, or take a new version.`,
    );
}

async function requireDpkg(): Promise<void> {
  await run('dpkg-deb', ['--version']).catch((cause: unknown) => {
    throw new Refusal(
      'dpkg-deb is not installed, which makes the Debian package; --without-deb leaves it out.',
      {
        cause,
      },
    );
  });
}

/** The Debian package contains the Node that runs this script, and the bill of materials names that of the lock. */
async function refuseOtherNode(): Promise<void> {
  const lock: unknown = JSON.parse(await text('package-lock.json'));
  Value.Assert(Locked, lock);
  const version = lock.packages[RUNTIME]?.version;
  if (version !== process.versions.node)
    throw new Refusal(
      `This is Node ${process.versions.node}, and package-lock.json has ${version}. Run npm ci, and this through npm run release.`,
    );
}

/** What CHANGELOG.md says of the version, which must include how to upgrade to it. */
async function notesOf(version: string): Promise<string> {
  const page = await text('CHANGELOG.md');
  const [, section] = page.split(headingOf(version));
  if (section === undefined) throw new Refusal(`CHANGELOG.md has no section "## ${version}".`);
  const [body = ''] = section.split(/^## /m);
  if (!/^### Upgrading\n+\S/m.test(body))
    throw new Refusal(
      `The section "## ${version}" of CHANGELOG.md does not say how to upgrade ("### Upgrading").`,
    );
  return body.slice(body.indexOf('\n')).trim();
}

/** `## 1.2.3`, with or without what follows it in parentheses. */
function headingOf(version: string): RegExp {
  return new RegExp(`^## ${version.replaceAll('.', '\\.')}(?= |$)`, 'm');
}

function refuseLicences(shipped: readonly Shipped[]): void {
  const refused = shipped.filter(({ licence }) => licence === null || !isAllowed(licence));
  if (refused.length === 0) return;
  const lines = refused.map(({ id, licence }) => `${id}: ${licence ?? 'no licence'}`);
  throw new Refusal(
    `Licences that docs/decisions/dependencies.md#allowed-licences does not allow:\n${lines.join('\n')}`,
  );
}

/** Commits what a release changes in the repository, unless it is there already. Returns the commit to build from. */
async function prepare(version: string): Promise<string> {
  const steps = await stepsTo(version);
  if (values.prepared && steps.length > 0)
    throw new Refusal(
      `This commit is not that of the release:\n${steps.map(({ missing }) => missing).join('\n')}`,
    );
  for (const { take } of steps) await take();
  if (steps.length > 0) {
    await git('add', 'CHANGELOG.md', VERSION_FILE, 'docs', ...MANIFESTS, 'test/storage');
    await git('commit', '--quiet', '--message', `Release ${version}`);
  }
  const left = (await git('status', '--porcelain')).trim();
  if (left !== '') throw new Error(`The preparation left changes:\n${left}`);
  return (await git('rev-parse', 'HEAD')).trim();
}

interface Step {
  readonly missing: string;
  readonly take: () => Promise<unknown>;
}

async function stepsTo(version: string): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const rewrite = async (
    file: string,
    change: (before: string) => string,
    missing: string,
  ): Promise<void> => {
    const before = await text(file);
    const after = change(before);
    if (after !== before) steps.push({ missing, take: () => writeFile(path(file), after) });
  };
  for (const file of MANIFESTS)
    await rewrite(file, (json) => withVersion(json, version), `${file} has another version`);
  await rewrite(
    VERSION_FILE,
    (source) => source.replace(/(SOFTWARE_VERSION = )'[^']*'/, `$1'${version}'`),
    `${VERSION_FILE} has another version`,
  );
  for (const page of documentedPages(ROOT))
    await rewrite(
      page,
      (before) => withDocumentedVersion(before, version),
      `${page} has commands of another version`,
    );
  const today = new Date().toISOString().slice(0, 10);
  await rewrite(
    'CHANGELOG.md',
    (page) => page.replace(`## ${version}${UNRELEASED}`, `## ${version} (${today})`),
    'CHANGELOG.md says that the version is unreleased',
  );
  const [sums, frozen] = [await migrationSums(), await frozenMigrations()];
  const open = [...sums.keys()].filter((name) => !frozen.has(name));
  if (open.length > 0)
    steps.push({
      missing: `not frozen: ${open.join(', ')}`,
      take: () => node('scripts/freeze-migrations.ts'),
    });
  // Beside that of its schema: the formats inside columns may have changed since the newest migration.
  const data = `${[...sums.keys()].at(-1)?.slice(0, 4)}-release-${version}`;
  if (!existsSync(path(`${STORED}/${data}.zst`)))
    steps.push({
      missing: `${STORED}/${data}.zst is missing`,
      take: () => node('scripts/store-schema.ts', data),
    });
  return steps;
}

/** A manifest or a lock with another version, and its members in the order they had. */
function withVersion(json: string, version: string): string {
  const manifest: unknown = JSON.parse(json);
  Value.Assert(Manifest, manifest);
  manifest.version = version;
  if (manifest.packages !== undefined) {
    Value.Assert(Root, manifest.packages);
    manifest.packages[''].version = version;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `npm pack` gives every file the same time and owner, so that the same files make the same archive. */
async function pack(folder: string, out: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/**
 * CycloneDX, of what is installed and what is bundled: `npm sbom --omit dev` leaves out what development needs as well.
 * Name, time, number and tools depend on the commit alone, where npm takes
 * the name of the folder, the time of the day, a random number and its own version.
 */
async function billOfMaterials(shipped: readonly Shipped[]): Promise<string> {
  const { stdout } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: ROOT,
    maxBuffer: 100_000_000,
  });
  const bom: unknown = JSON.parse(stdout);
  Value.Assert(Bom, bom);
  const kept = new Map(shipped.map((one) => [one.id, one]));
  const own = bom.dependencies[0]?.ref;
  bom.components = bom.components
    .filter((component) => kept.has(component['bom-ref']))
    .map((component) => {
      const one = kept.get(component['bom-ref']);
      const within = one?.bundled ? 'web' : one?.folder === RUNTIME ? 'deb, image' : null;
      return within === null
        ? component
        : { ...component, scope: 'required', properties: [{ name: 'tributary:bundled', value: within }] };
    });
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => ref === own || kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  bom.metadata.component.name = 'tributary';
  bom.metadata.tools = [];
  bom.metadata.timestamp = new Date((await git('show', '--no-patch', '--format=%cI')).trim()).toISOString();
  const sum = createHash('sha256').update(JSON.stringify(bom.components)).digest('hex');
  // Version 8 of RFC 9562: a number that we make of the content.
  bom.serialNumber = `urn:uuid:${sum.slice(0, 8)}-${sum.slice(8, 12)}-8${sum.slice(13, 16)}-a${sum.slice(17, 20)}-${sum.slice(20, 32)}`;
  return `${JSON.stringify(bom, null, 2)}\n`;
}

async function writeSums(out: string): Promise<void> {
  const names = (await readdir(out)).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const sum = createHash('sha256').update(await readFile(join(out, name)));
      return `${sum.digest('hex')}  ${name}\n`;
    }),
  );
  await writeFile(join(out, 'SHA256SUMS'), lines.join(''));
}

function announcement(version: string, commit: string, out: string, files: readonly string[]): string {
  const made = `${out}-of-the-workflow`;
  // Without a tag of its own, npm would give a version before a release to everyone who installs the latest.
  const early = version.includes('-');
  const publish = files
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => `npm publish ${early ? '--tag next ' : ''}${join(made, file)}`);
  return `The files of ${version} are in ${out}, built from ${commit}.

Nothing is published. When .ci/run has passed on this commit:

  git tag --annotate v${version} --message "Tributary ${version}" ${commit}
  git push origin HEAD v${version}

The tag starts a workflow that tests the commit and makes the files in a checkout of its own. When it has passed, publish those.
The Debian package depends on the version of dpkg, so only the others have to be the same as here:

  gh run download --name v${version} --dir ${made} &&
  (cd ${made} && sha256sum --check --strict SHA256SUMS) &&
  grep --invert-match '[.]deb$' ${join(out, 'SHA256SUMS')} | (cd ${made} && sha256sum --check --strict) &&
  ${publish.join(' &&\n  ')} &&
  gh release create v${version} ${early ? '--prerelease ' : ''}--notes-file ${join(made, 'release-notes.md')} ${join(made, '*')}
`;
}

function path(file: string): string {
  return join(ROOT, file);
}

function text(file: string): Promise<string> {
  return readFile(path(file), 'utf8');
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', args, { cwd: ROOT })).stdout;
}

/** Runs a script of the checkout and returns what it writes. */
async function node(script: string, ...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, [path(script), ...args], { cwd: ROOT, maxBuffer: 10_000_000 })).stdout;
}
