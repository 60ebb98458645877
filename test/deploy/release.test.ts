import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { scratchDirectory } from '../support/scratch.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = '98.7.6';
const SECTION = `## ${VERSION} (unreleased)\n\nMore of everything.\n\n### Upgrading\n\nTake a backup first.\n\n`;
const run = promisify(execFile);

let place = '';
let checkout = '';

/** A repository with the files of this one as they are now, and a changelog that knows the version. */
before(async () => {
  place = await scratchDirectory();
  checkout = join(place, 'checkout');
  await mkdir(checkout);
  const files = 'git ls-files -z --cached --others --exclude-standard';
  await run('sh', ['-c', `${files} | tar -c --null -T - | tar -x -C "$0"`, checkout], { cwd: ROOT });
  await git('init', '--quiet');
  await writeFile(join(checkout, '.git/info/exclude'), 'node_modules\n');
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  for (const [name, value] of [
    ['user.name', 'A person'],
    ['user.email', 'a@example.test'],
    ['commit.gpgsign', 'false'],
  ] as const)
    await git('config', name, value);
  await edit('CHANGELOG.md', (page) => page.replace('## ', `${SECTION}## `));
  await commit('Begin');
});
after(() => rm(place, { recursive: true, force: true }));

describe('a release is refused, and nothing is built or committed,', () => {
  let begin = '';
  before(async () => {
    begin = await git('rev-parse', 'HEAD');
  });
  afterEach(async () => {
    await git('reset', '--quiet', '--hard', begin);
    await git('clean', '--quiet', '--force', '-d');
  });

  async function assertRefused(message: RegExp, ...options: readonly string[]): Promise<void> {
    await assertRefusedAlways(message, '--without-deb', ...options);
  }

  async function assertRefusedAlways(message: RegExp, ...options: readonly string[]): Promise<void> {
    const head = await git('rev-parse', 'HEAD');
    const out = join(place, 'refused');
    const { code, stderr } = await release(VERSION, out, ...options);
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
    assert.equal(await git('rev-parse', 'HEAD'), head);
    await assert.rejects(readdir(out));
  }

  test('from a checkout with changes, which the message names', async () => {
    await writeFile(join(checkout, 'new-file'), 'x');
    await assertRefused(/The checkout has changes;[^\n]*\n\?\? new-file/);
  });

  test('without a section of the changelog, also where that of a longer version begins alike', async () => {
    await edit('CHANGELOG.md', (page) => page.replace(`## ${VERSION} `, `## ${VERSION}1 `));
    await commit('Another version');
    await assertRefused(/CHANGELOG\.md has no section "## 98\.7\.6"\./);
  });

  test('with a section that does not say how to upgrade, though the next one does', async () => {
    await edit('CHANGELOG.md', (page) => page.replace('### Upgrading\n\nTake a backup first.\n\n', ''));
    await commit('No notes');
    await assertRefused(/does not say how to upgrade \("### Upgrading"\)/);
  });

  for (const [where, path] of [
    ['installed with the service', 'node_modules/pg'],
    ['bundled into the web application, though nothing else needs it', 'node_modules/scheduler'],
  ] as const)
    test(`with a forbidden licence of a package that is ${where}`, async () => {
      await edit('package-lock.json', (text) => {
        const lock = JSON.parse(text);
        lock.packages[path].license = 'AGPL-3.0-only';
        return `${JSON.stringify(lock, null, 2)}\n`;
      });
      await commit('Another licence');
      await assertRefused(/allowed-licences does not allow:\n(?:pg|scheduler)@[\d.]+: AGPL-3\.0-only\n$/);
    });

  test('from a commit that is not that of the release, when it may not commit', async () => {
    await assertRefused(
      /is not that of the release:\npackage\.json has another version\n(?:.*\n)*docs\/upgrading\.md has commands of another version\n(?:.*\n)*.*is unreleased\n/,
      '--prepared',
    );
  });

  test('with a Debian package, whose Node would be another than the one in the bill of materials', async () => {
    await edit('package-lock.json', (text) => {
      const lock = JSON.parse(text);
      lock.packages['node_modules/node'].version = '24.0.0';
      return `${JSON.stringify(lock, null, 2)}\n`;
    });
    await commit('Another Node');
    await assertRefusedAlways(/^This is Node \d+\.\d+\.\d+, and package-lock\.json has 24\.0\.0\./);
  });

  test('whose tag names another commit', async (t) => {
    await git('tag', `v${VERSION}`);
    t.after(() => git('tag', '--delete', `v${VERSION}`));
    await edit('README.md', (text) => `${text}\n`);
    await commit('Later');
    await assertRefused(/The tag v98\.7\.6 names another commit/);
  });

  test('without a version, without a folder, and into a folder with files', async () => {
    const full = join(place, 'full');
    await mkdir(full);
    await writeFile(join(full, 'file'), 'x');
    for (const [version, out, message] of [
      ['v1.0', join(place, 'refused'), /Name the version and a folder/],
      [VERSION, '', /Name the version and a folder/],
      [VERSION, full, /is not empty/],
    ] as const) {
      const { code, stderr } = await release(version, out);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});

const Sbom = Type.Object({
  bomFormat: Type.Literal('CycloneDX'),
  metadata: Type.Object({
    component: Type.Object({ name: Type.String(), version: Type.String() }),
    tools: Type.Array(Type.Unknown()),
  }),
  components: Type.Array(
    Type.Object({ name: Type.String(), licenses: Type.Array(Type.Unknown(), { minItems: 1 }) }),
  ),
});

test(
  'a release has every file with its checksum, is committed but not published, and is the same when made again',
  ONLY_THOROUGH,
  async () => {
    const [first, again, elsewhere] = ['first', 'again', 'elsewhere'].map((name) => join(place, name));
    assert.ok(first !== undefined && again !== undefined && elsewhere !== undefined);
    const { code, stdout, stderr } = await release(VERSION, first, '--without-deb');
    assert.equal(code, 0, stderr);

    const files = (await readdir(first)).toSorted();
    assert.deepEqual(files, [
      'SHA256SUMS',
      'release-notes.md',
      `tributary-${VERSION}.cdx.json`,
      `tributary-${VERSION}.tgz`,
      `tributary-client-${VERSION}.tgz`,
    ]);
    const checked = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first });
    assert.equal(checked.stdout.match(/: OK$/gm)?.length, files.length - 1);
    assert.equal(
      await readFile(join(first, 'release-notes.md'), 'utf8'),
      'More of everything.\n\n### Upgrading\n\nTake a backup first.\n',
    );
    const bom = Value.Parse(
      Sbom,
      JSON.parse(await readFile(join(first, `tributary-${VERSION}.cdx.json`), 'utf8')),
    );
    assert.deepEqual([bom.metadata.component.name, bom.metadata.component.version], ['tributary', VERSION]);
    assert.deepEqual(bom.metadata.tools, [], 'npm makes the same of every version');
    const names = new Set(bom.components.map(({ name }) => name));
    // One that is installed, one that development needs too, one that is bundled, the runtime; and one that is neither.
    for (const name of ['fastify', 'tslib', 'react-dom', 'node']) assert.ok(names.has(name), name);
    assert.ok(!names.has('typescript'));

    const { stdout: inside } = await run('tar', [
      '--extract',
      '--to-stdout',
      '--file',
      `${first}/tributary-${VERSION}.tgz`,
      'package/package.json',
    ]);
    assert.equal(JSON.parse(inside).version, VERSION);

    const head = await git('rev-parse', 'HEAD');
    assert.equal(await git('show', '--no-patch', '--format=%s'), `Release ${VERSION}`);
    assert.equal(await git('status', '--porcelain'), '');
    assert.equal(await git('tag', '--list'), '');
    const changed = (await git('show', '--name-only', '--format=')).split('\n').toSorted();
    const data = changed.find((path) => path.endsWith('.zst')) ?? assert.fail(changed.join());
    assert.match(data, new RegExp(`^test/storage/earlier/\\d{4}-release-${VERSION}\\.zst$`));
    assert.deepEqual(
      changed.filter((path) => path !== data && path !== 'test/storage/frozen-migrations.json'),
      [
        'CHANGELOG.md',
        'docs/https.md',
        'docs/providers.md',
        'docs/self-hosting.md',
        'docs/upgrading.md',
        'package-lock.json',
        'package.json',
        'packages/client/package.json',
        'src/vocabulary/software-version.ts',
      ],
    );
    assert.match(
      await readFile(join(checkout, 'docs/upgrading.md'), 'utf8'),
      new RegExp(`^git checkout v${VERSION}$`, 'm'),
    );
    assert.match(
      await readFile(join(checkout, 'CHANGELOG.md'), 'utf8'),
      /^## 98\.7\.6 \(\d{4}-\d\d-\d\d\)$/m,
    );
    let last = -1;
    for (const command of [
      `git tag --annotate v${VERSION}`,
      'git push origin HEAD',
      'gh run download',
      `grep --invert-match '[.]deb$' ${first}/SHA256SUMS | (cd ${first}-of-the-workflow && sha256sum --check --strict) &&`,
      `npm publish ${first}-of-the-workflow/tributary-${VERSION}.tgz &&`,
      `gh release create v${VERSION} --notes-file`,
    ]) {
      const at = stdout.indexOf(command);
      assert.ok(at > last, `${command} comes after what it depends on`);
      last = at;
    }

    const second = await release(VERSION, again, '--without-deb', '--prepared');
    assert.equal(second.code, 0, second.stderr);
    assert.equal(await git('rev-parse', 'HEAD'), head, 'nothing was left to commit');
    await run('git', ['clone', '--quiet', checkout, join(place, 'clone')]);
    await symlink(join(ROOT, 'node_modules'), join(place, 'clone/node_modules'));
    await writeFile(join(place, 'clone/.git/info/exclude'), 'node_modules\n');
    checkout = join(place, 'clone');
    const third = await release(VERSION, elsewhere, '--without-deb', '--prepared');
    assert.equal(third.code, 0, third.stderr);
    for (const name of files) {
      const bytes = await readFile(join(first, name));
      for (const other of [again, elsewhere])
        assert.ok(bytes.equals(await readFile(join(other, name))), `${other}/${name}`);
    }
  },
);

async function release(version: string, out: string, ...options: readonly string[]) {
  const args = ['scripts/release.ts', '--version', version, '--out', out, ...options];
  return await run(process.execPath, args, { cwd: checkout, maxBuffer: 10_000_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', args, { cwd: checkout })).stdout.trim();
}

async function commit(message: string): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = join(checkout, path);
  await writeFile(file, change(await readFile(file, 'utf8')));
}
