import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  glob,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * `npm run deb`: the Debian package of the service in build/, with the Node that it was tested on, made of what
 * `npm run package` writes. `--package DIR` takes that from elsewhere, `--out DIR` writes elsewhere, and `--fast`
 * compresses little. It needs `dpkg-deb`, and makes the same bytes of the same commit with the same version of that:
 * every file has the time of SOURCE_DATE_EPOCH, or else of the commit.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    package: { type: 'string', default: join(ROOT, 'build/package') },
    out: { type: 'string', default: join(ROOT, 'build') },
    fast: { type: 'boolean', default: false },
  },
});

const Manifest = Type.Object({ version: Type.String(), description: Type.String(), license: Type.String() });
const manifest = Value.Parse(
  Manifest,
  JSON.parse(await readFile(join(values.package, 'package.json'), 'utf8')),
);
const out = resolve(values.out);
const tree = join(out, 'deb');
const installed = join(tree, 'opt/tributary');

await rm(tree, { recursive: true, force: true });
await cp(values.package, installed, { recursive: true });
// No package that it needs to run has an install script that matters.
await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: installed });
await mkdir(join(installed, 'node_modules/node/bin'), { recursive: true });
await cp(process.execPath, join(installed, 'node_modules/node/bin/node'));
await cp(await licenceOfNode(), join(installed, 'node_modules/node/LICENSE'));
await mkdir(join(installed, 'node_modules/.bin'), { recursive: true });
await symlink('../node/bin/node', join(installed, 'node_modules/.bin/node'));
for (const [from, to] of [
  ['deploy/tributary.service', 'lib/systemd/system/tributary.service'],
  ['deploy/debian/tributary', 'usr/bin/tributary'],
  ['deploy/debian/tributary.env', 'usr/share/tributary/tributary.env'],
  ['LICENSE', 'usr/share/doc/tributary/copyright'],
  ['deploy/debian/preinst', 'DEBIAN/preinst'],
  ['deploy/debian/postinst', 'DEBIAN/postinst'],
  ['deploy/debian/prerm', 'DEBIAN/prerm'],
  ['deploy/debian/postrm', 'DEBIAN/postrm'],
] as const)
  await cp(join(ROOT, from), join(tree, to));
const { stdout } = await run('dpkg', ['--print-architecture']);
const architecture = stdout.trim();
await writeFile(join(tree, 'DEBIAN/control'), control(manifest, architecture, await bytesIn(tree)));
const file = join(out, `tributary_${versionOf(manifest)}_${architecture}.deb`);
const compression = values.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
const epoch = process.env.SOURCE_DATE_EPOCH ?? (await timeOfCommit());
await makeAlike(tree, Number(epoch));
await run('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
  // With several threads, the compressed bytes depend on how many there are.
  env: { ...process.env, SOURCE_DATE_EPOCH: epoch, DPKG_DEB_THREADS_MAX: '1' },
});
await rm(tree, { recursive: true });
process.stdout.write(`${file}\n`);

function control(from: Static<typeof Manifest>, architecture: string, bytes: number): string {
  return `${[
    'Package: tributary',
    `Version: ${versionOf(from)}`,
    `Architecture: ${architecture}`,
    'Maintainer: Tributary <tributary@localhost>',
    'Section: net',
    'Priority: optional',
    'Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux',
    'Suggests: caddy | nginx, postgresql',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Description: ${from.description.replace(/\.$/, '')}`,
  ].join('\n')}\n`;
}

/** A version before a release sorts before it: `1.0.0~rc.1`. */
function versionOf({ version }: Static<typeof Manifest>): string {
  return version.replace('-', '~');
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for await (const entry of glob('**/*', { cwd: directory, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** Where the Node that runs this has its licence: beside its program, or in the package of npm that brings it. */
async function licenceOfNode(): Promise<string> {
  const prefix = dirname(dirname(process.execPath));
  for await (const name of glob(['LICENSE', 'node_modules/node-*/LICENSE'], { cwd: prefix }))
    return join(prefix, name);
  throw new Error(`There is no licence of Node below ${prefix}, and it has to go with the program.`);
}

/** Seconds since 1970. */
async function timeOfCommit(): Promise<string> {
  return (await run('git', ['show', '--no-patch', '--format=%ct'], { cwd: ROOT })).stdout.trim();
}

/** Gives all files one time, and modes that do not depend on the umask of the builder. */
async function makeAlike(directory: string, epoch: number): Promise<void> {
  const names = await readdir(directory, { recursive: true });
  // Folders after what is in them, whose change would give them another time.
  for (const name of [...names.toSorted().toReversed(), '']) {
    const path = join(directory, name);
    const found = await lstat(path);
    if (!found.isSymbolicLink())
      await chmod(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
    await lutimes(path, epoch, epoch);
  }
}
