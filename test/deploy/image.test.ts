import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../src/platform/free-port.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { THOROUGH } from '../support/thorough.ts';
import { answering } from './answering.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOST_BYTES = 300_000_000;
const MIRROR = 'http://deb.debian.org/debian';
const TOOLS = ['/usr/bin/buildah', '/usr/sbin/debootstrap'] as const;
const run = promisify(execFile);

/** Registries of images cannot be reached everywhere: its base images are made of Debian's packages and this Node. */
const SKIP = !THOROUGH
  ? 'runs with THOROUGH'
  : process.getuid?.() !== 0 || !TOOLS.every((tool) => existsSync(tool))
    ? 'needs root, buildah and debootstrap'
    : false;

describe('the image that the Dockerfile builds', { skip: SKIP }, () => {
  let place = '';
  let root = '';

  const buildah = async (...args: readonly string[]): Promise<string> => {
    const storage = [
      '--storage-driver',
      'vfs',
      '--root',
      join(place, 'store'),
      '--runroot',
      join(place, 'run'),
    ];
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
    const { stdout } = await run('buildah', [...storage, ...args], { env, maxBuffer: 100_000_000 });
    return stdout.trim();
  };

  /** An image of what `fill` puts into the root of another one. */
  async function image(from: string, name: string, fill: (root: string) => Promise<void>): Promise<void> {
    const container = await buildah('from', from);
    await fill(await buildah('mount', container));
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    if (authorities !== undefined)
      await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, container);
    await buildah('commit', '--quiet', '--rm', container, name);
  }

  before(async () => {
    place = await scratchDirectory();
    await image('scratch', 'localhost/base', async (into) => {
      await run('debootstrap', ['--variant=minbase', 'bookworm', into, MIRROR], { maxBuffer: 10_000_000 });
      // What the official slim image leaves out as well.
      for (const path of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
        await rm(join(into, path), { recursive: true });
    });
    await image('localhost/base', 'localhost/node', async (into) => {
      await cp(process.execPath, join(into, 'usr/local/bin/node'));
      // Where the official image has it.
      await writeFile(join(into, 'usr/local/LICENSE'), 'Node.js is licensed for use as follows:');
      const { stdout } = await run('which', ['npm']);
      const npm = dirname(dirname(await realpath(stdout.trim())));
      await cp(npm, join(into, 'usr/local/lib/npm'), { recursive: true });
      await symlink('../lib/npm/bin/npm-cli.js', join(into, 'usr/local/bin/npm'));
      await mkdir(join(into, 'etc/ssl'), { recursive: true });
      await cp('/etc/ssl/certs', join(into, 'etc/ssl/certs'), { recursive: true, dereference: true });
    });
    const bases = ['BASE=localhost/base', 'NODE=localhost/node'].flatMap((one) => ['--build-arg', one]);
    await buildah('build', '--pull-never', ...bases, '--tag', 'localhost/tributary', ROOT);
    root = await buildah('mount', await buildah('from', 'localhost/tributary'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  test('is small', async (t) => {
    const { stdout } = await run('du', ['--summarize', '--bytes', root]);
    const bytes = Number.parseInt(stdout, 10);
    t.diagnostic(`${Math.round(bytes / 1e6)} MB`);
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
  });

  test('has the licence of the Node that it brings', () => {
    assert.ok(existsSync(join(root, 'usr/share/doc/node/LICENSE')));
  });

  test('serves as a user without rights, and writes to /data only', async (t) => {
    const port = await freePort('127.0.0.1');
    const child = spawn(
      '/usr/sbin/chroot',
      // Without /proc, Node knows the path of its program only if it is started by it.
      ['--userspec=10001:10001', root, '/usr/local/bin/node', '/opt/tributary/bin/tributary.js', 'serve'],
      {
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          DATA_DIR: '/data',
          HOST: '127.0.0.1',
          PORT: String(port),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    t.after(async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    await answering(`http://127.0.0.1:${port}/readyz`, child);
    const { stdout } = await run('find', [root, '-user', '10001', '-not', '-path', `${root}/data*`]);
    assert.equal(stdout, '');
    assert.ok(existsSync(join(root, 'data/first-run-link')));
  });
});
