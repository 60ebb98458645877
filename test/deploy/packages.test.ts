import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../src/platform/free-port.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ONLY_THOROUGH, THOROUGH } from '../support/thorough.ts';
import { answering } from './answering.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOST_INSTALLED_BYTES = 120_000_000;
const MOST_PACKED_BYTES = 5_000_000;
const run = promisify(execFile);

let place = '';
let folder = '';

before(async () => {
  place = await scratchDirectory();
  folder = join(place, 'package');
  await run(process.execPath, [join(ROOT, 'scripts/build-package.ts'), folder], { cwd: ROOT });
});
after(() => rm(place, { recursive: true, force: true }));

describe('the package that is published', () => {
  test('has no TypeScript and no tests, and names only packages that it needs to run', async () => {
    const files = await Array.fromAsync(glob('**/*', { cwd: folder }));
    assert.deepEqual(
      files.filter((path) => /\.tsx?$|(^|\/)(test|bench|scripts)\//.test(path)),
      [],
    );
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.devDependencies, manifest.scripts, manifest.private],
      [undefined, undefined, undefined],
    );
    const lock = JSON.parse(await readFile(join(folder, 'npm-shrinkwrap.json'), 'utf8'));
    const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    assert.deepEqual(manifest.dependencies, own.dependencies);
    for (const name of Object.keys(manifest.dependencies))
      assert.ok(lock.packages[`node_modules/${name}`], name);
    for (const name of ['vite', 'typescript', 'react', 'playwright-core']) {
      assert.equal(lock.packages[`node_modules/${name}`], undefined);
    }
  });

  test('has what its pages lead to, except for what only a checkout has, and the rules that Prometheus reads', async () => {
    const OF_CHECKOUT = /^(?:src|test|sandbox|packages)\/|^(?:ARCHITECTURE|CONTRIBUTING)\.md$/;
    const pages = await Array.fromAsync(glob('{*.md,docs/**/*.md}', { cwd: folder }));
    const broken: string[] = [];
    for (const page of pages) {
      const text = (await readFile(join(folder, page), 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)) {
        const path = posix.join(posix.dirname(page), target);
        if (/^[a-z]+:/.test(target) || OF_CHECKOUT.test(path) || existsSync(join(folder, path))) continue;
        broken.push(`${page}: ${target}`);
      }
    }
    assert.ok(pages.length > 50, `${pages.length}`);
    assert.deepEqual(broken, []);
    const [, rules = ''] =
      /^rule_files: \[\/opt\/tributary\/(.*)\]$/m.exec(
        await readFile(join(folder, 'docs/self-hosting.md'), 'utf8'),
      ) ?? [];
    assert.ok((await stat(join(folder, rules))).isFile(), rules);
  });

  test('brings the licences of what is inside the web application', async () => {
    const text = await readFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    for (const part of [/^react-dom@[\d.]+ \(MIT\)\n\nMIT License\n/m, /^@mantine\/core@/m, /^scheduler@/m])
      assert.match(text, part);
    assert.doesNotMatch(text, /^(?:vite|fastify)@/m);
  });

  test('starts in an empty directory with the packages of the checkout, and serves the API, pages and docs', async (t) => {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    t.after(() => rm(join(folder, 'node_modules')));
    await assertServes(t, process.execPath, [join(folder, 'bin/tributary.js'), 'serve']);
  });

  test('is small, installs with npm alone, and starts then', ONLY_THOROUGH, async (t) => {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', place], { cwd: folder });
    const packed = join(place, stdout.trim());
    assert.ok((await stat(packed)).size <= MOST_PACKED_BYTES);
    const installed = join(place, 'installed');
    await mkdir(installed);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', installed, packed], {
      cwd: installed,
    });
    const bytes = await bytesIn(join(installed, 'node_modules'));
    t.diagnostic(`${Math.round(bytes / 1e6)} MB installed`);
    assert.ok(bytes <= MOST_INSTALLED_BYTES, `${bytes} bytes installed`);
    await assertServes(t, process.execPath, [join(installed, 'node_modules/.bin/tributary'), 'serve']);
  });
});

describe('the Debian package', {
  skip:
    process.env.CI === 'true' || existsSync('/usr/bin/dpkg-deb')
      ? THOROUGH
        ? false
        : 'only in .ci/run'
      : 'dpkg-deb is not installed',
}, () => {
  let root = '';

  before(async () => {
    const { stdout } = await run(
      process.execPath,
      [join(ROOT, 'scripts/build-deb.ts'), '--package', folder, '--out', place, '--fast'],
      { cwd: ROOT },
    );
    root = join(place, 'root');
    await run('dpkg-deb', ['--extract', stdout.trim(), root]);
    await run('dpkg-deb', ['--control', stdout.trim(), join(root, 'DEBIAN')]);
  });

  test('has the same bytes when it is made again, elsewhere and with another umask', async () => {
    const out = join(place, 'again');
    await run(
      'sh',
      [
        '-c',
        'umask 077; mkdir "$1"; "$0" scripts/build-deb.ts --package "$2" --out "$1" --fast',
        process.execPath,
        out,
        folder,
      ],
      { cwd: ROOT },
    );
    const [name = ''] = await readdir(out);
    assert.ok((await readFile(join(out, name))).equals(await readFile(join(place, name))));
  });

  test('has the licence of the Node that it brings', async () => {
    const text = await readFile(join(root, 'opt/tributary/node_modules/node/LICENSE'), 'utf8');
    assert.match(text, /^Node\.js is licensed/);
  });

  test('brings its own Node, and starts by the command of its unit', async (t) => {
    const unit = await readFile(join(root, 'lib/systemd/system/tributary.service'), 'utf8');
    const command = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? assert.fail(unit);
    const [program = '', ...args] = command
      .split(' ')
      .map((word) => word.replace(/^\/opt\//, `${root}/opt/`));
    await assertServes(t, program, args);
  });

  test('has scripts that a shell can read, and no configuration that a purge deletes', async () => {
    for (const script of ['preinst', 'postinst', 'prerm', 'postrm', '../usr/bin/tributary']) {
      const path = join(root, 'DEBIAN', script);
      await run('sh', ['-n', path]);
      assert.equal((await stat(path)).mode & 0o777, 0o755, script);
    }
    assert.ok(!existsSync(join(root, 'DEBIAN/conffiles')) && !existsSync(join(root, 'etc')));
    assert.ok(existsSync(join(root, 'usr/share/tributary/tributary.env')));
  });
});

interface Teardown {
  after(close: () => Promise<void>): void;
}

async function assertServes(t: Teardown, program: string, args: readonly string[]): Promise<void> {
  const dataDir = await scratchDirectory();
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, args, {
    cwd: dataDir,
    env: { PATH: process.env.PATH, DATA_DIR: join(dataDir, 'data'), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problems = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problems += text;
  });
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  });
  await answering(`${url}/sign-in`, child, () => problems);
  const statuses = await Promise.all(
    ['/', '/docs', '/docs/sandbox', '/v2/openapi.json', '/v2/me'].map(async (path) => {
      const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
      return [path, answer.status];
    }),
  );
  assert.deepEqual(statuses, [
    ['/', 200],
    ['/docs', 200],
    ['/docs/sandbox', 200],
    ['/v2/openapi.json', 200],
    ['/v2/me', 401],
  ]);
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for await (const entry of glob('**/*', { cwd: directory, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
