import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratchDirectory } from '../support/scratch.ts';

const DEBIAN = fileURLToPath(new URL('../../deploy/debian/', import.meta.url));
const run = promisify(execFile);

interface Teardown {
  after(close: () => Promise<void>): void;
}

async function programs(into: string, texts: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(into, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(into, name), 0o755);
  }
}

describe('the scripts of the Debian package, run by dpkg', {
  skip: existsSync('/usr/bin/dpkg') ? false : 'dpkg is not installed',
}, () => {
  /** A root of its own, and packages of those scripts without the service. Users and units are those of the machine. */
  async function system(t: Teardown) {
    const place = await scratchDirectory();
    t.after(() => rm(place, { recursive: true, force: true }));
    const root = join(place, 'root');
    const said = join(place, 'systemctl.log');
    for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'run/systemd/system'])
      await mkdir(join(root, path), { recursive: true });
    for (const path of ['status', 'available']) await writeFile(join(root, 'var/lib/dpkg', path), '');
    await programs(join(place, 'bin'), {
      systemctl: `echo "$*" >>${said}`,
      getent: 'exit 0',
      chown: 'exit 0',
      // Without the owner, which this machine need not have.
      install: 'exec /usr/bin/install $(echo "$@" | sed "s/-o [a-z]* -g [a-z]*//")',
    });
    const package_ = async (version: string): Promise<string> => {
      const tree = join(place, version);
      await mkdir(join(tree, 'DEBIAN'), { recursive: true });
      for (const script of ['preinst', 'postinst', 'prerm', 'postrm'])
        await cp(join(DEBIAN, script), join(tree, 'DEBIAN', script));
      await mkdir(join(tree, 'usr/share/tributary'), { recursive: true });
      await cp(join(DEBIAN, 'tributary.env'), join(tree, 'usr/share/tributary/tributary.env'));
      const lines = [
        'Package: tributary',
        `Version: ${version}`,
        'Architecture: all',
        'Maintainer: T <t@localhost>',
      ];
      await writeFile(join(tree, 'DEBIAN/control'), `${lines.join('\n')}\nDescription: Test\n`);
      await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, `${tree}.deb`]);
      return `${tree}.deb`;
    };
    const dpkg = async (...args: readonly string[]) => {
      await writeFile(said, '');
      const force = '--force-script-chrootless,not-root,bad-path';
      const { stderr } = await run('dpkg', [`--root=${root}`, force, `--log=${place}/log`, ...args], {
        env: { PATH: `${join(place, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin` },
      });
      const commands = (await readFile(said, 'utf8')).trim().split('\n');
      return { stderr, commands: commands.filter((one) => one !== 'daemon-reload') };
    };
    return { root, dpkg, package_ };
  }

  test('start the service after an installation and after one that follows a removal; an upgrade starts nothing', async (t) => {
    const { dpkg, package_ } = await system(t);
    const [first, second] = [await package_('1.0'), await package_('1.1')];
    const started = ['enable --now tributary.service'];
    assert.deepEqual((await dpkg('--install', first)).commands, started);
    assert.deepEqual((await dpkg('--install', second)).commands, ['try-restart tributary.service']);
    assert.deepEqual((await dpkg('--remove', 'tributary')).commands, ['disable --now tributary.service']);
    assert.deepEqual((await dpkg('--install', second)).commands, started);
    assert.deepEqual((await dpkg('--install', second)).commands, ['try-restart tributary.service']);
  });

  test('leave the configuration and the data where they are, in an upgrade, a removal and a purge', async (t) => {
    const { root, dpkg, package_ } = await system(t);
    const file = join(root, 'etc/tributary/tributary.env');
    await dpkg('--install', await package_('1.0'));
    assert.equal(await readFile(file, 'utf8'), await readFile(join(DEBIAN, 'tributary.env'), 'utf8'));
    await writeFile(file, 'ENCRYPTION_KEY=main:only-here\n');
    await writeFile(join(root, 'var/lib/tributary/encryption.key'), 'main:key');
    await dpkg('--install', await package_('1.1'));
    await dpkg('--remove', 'tributary');
    const { stderr } = await dpkg('--purge', 'tributary');
    assert.match(
      stderr,
      /\/var\/lib\/tributary is kept[^\n]*\n\/var\/backups\/tributary is kept[^\n]*\n\/etc\/tributary\/tributary\.env is kept/,
    );
    assert.equal(await readFile(file, 'utf8'), 'ENCRYPTION_KEY=main:only-here\n');
    assert.equal(await readFile(join(root, 'var/lib/tributary/encryption.key'), 'utf8'), 'main:key');
  });
});

describe('sudo tributary', () => {
  /** What the command line gets of a configuration with these lines, or what is said instead. */
  async function read(t: Teardown, ...lines: readonly string[]) {
    const place = await scratchDirectory();
    t.after(() => rm(place, { recursive: true, force: true }));
    await writeFile(join(place, 'env'), lines.join('\n'));
    const node = join(place, 'bin/node');
    await programs(join(place, 'bin'), { id: 'echo tributary', node: `exec ${process.execPath} "$@"` });
    await writeFile(join(place, 'print.js'), 'console.log(JSON.stringify(process.env));');
    const text = (await readFile(join(DEBIAN, 'tributary'), 'utf8'))
      .replace('/etc/tributary/tributary.env', join(place, 'env'))
      .replace('/opt/tributary/node_modules/.bin/node', node)
      .replace('/opt/tributary/bin/tributary.js', join(place, 'print.js'));
    return run('sh', ['-c', text], { env: { PATH: `${join(place, 'bin')}:/usr/bin:/bin` } }).then(
      ({ stdout }) => ({ env: JSON.parse(stdout), refused: '' }),
      (error: { stderr: string }) => ({ env: {}, refused: error.stderr }),
    );
  }

  test('reads a value as systemd does: without the blanks around it and one pair of quotes, and runs nothing of it', async (t) => {
    const { env, refused } = await read(
      t,
      '# A comment, and another one:',
      '  ; PORT=1',
      '',
      'PLAIN=a b # c ',
      '  BLANKS =\t  around   \r',
      'DOUBLE="  a $HOME `id` \'b\' "',
      'SINGLE=\'a\\nb "c" \\\'',
      'INNER=it\'s "this"',
      'EMPTY=',
      'NOTHING=""',
      'EQUALS=a=b==',
      'LAST=without a line end',
    );
    assert.equal(refused, '');
    const { PLAIN, BLANKS, DOUBLE, SINGLE, INNER, EMPTY, NOTHING, EQUALS, LAST } = env;
    assert.deepEqual(
      [PLAIN, BLANKS, DOUBLE, SINGLE, INNER, EMPTY, NOTHING, EQUALS, LAST],
      [
        'a b # c',
        'around',
        "  a $HOME `id` 'b' ",
        'a\\nb "c" \\',
        'it\'s "this"',
        '',
        '',
        'a=b==',
        'without a line end',
      ],
    );
  });

  for (const [line, message] of [
    ['A=one \\', /line 2: Put A into single quotes, because of the backslash/],
    ['A="one\\"two"', /line 2: Put A into single quotes/],
    ['A="one" "two"', /line 2: Put A into one pair of quotes/],
    ["A='one'two'", /line 2: Put A into one pair of quotes/],
    ['A="one', /line 2: The quote that A begins with does not end on its line/],
    ['export A=one', /line 2: "export A" is not the name of a variable/],
    ['# one \\', /line 2: A comment that ends with a backslash/],
    ['A one', /line 2: Write NAME=value/],
  ] as const)
    test(`refuses ${JSON.stringify(line)}, which could be read in two ways`, async (t) => {
      assert.match((await read(t, 'PORT=8780', line)).refused, message);
    });
});
