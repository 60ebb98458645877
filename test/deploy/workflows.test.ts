import assert from 'node:assert/strict';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { scriptsOf } from '../house/manifest.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const Step = Type.Object({
  uses: Type.Optional(Type.String({ pattern: '^actions/[a-z-]+@[0-9a-f]{40}$' })),
  run: Type.Optional(Type.String()),
  with: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const APT = /^sudo apt-get (?:update|install --yes --no-install-recommends [a-z ]+)$/;
const Workflow = Type.Object({
  on: Type.Object({
    push: Type.Object({
      branches: Type.Optional(Type.Array(Type.String())),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  }),
  permissions: Type.Record(Type.String(), Type.String()),
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      'timeout-minutes': Type.Number(),
      services: Type.Record(Type.String(), Type.Object({ ports: Type.Array(Type.String()) })),
      env: Type.Object({ CI: Type.Literal('true') }),
      steps: Type.Array(Step),
    }),
  ),
});

const workflows = new Map(
  readdirSync(FOLDER).map((name) => [
    name,
    Value.Parse(Workflow, parse(readFileSync(join(FOLDER, name), 'utf8'))),
  ]),
);

function commandsOf(name: string): readonly string[] {
  const jobs = Object.values(workflows.get(name)?.jobs ?? {});
  return jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

test('each workflow may only read, ends in time, and has the servers that .ci/run looks for', () => {
  assert.deepEqual([...workflows.keys()].toSorted(), ['ci.yml', 'release.yml']);
  const ports = [...readFileSync(join(ROOT, '.ci/run'), 'utf8').matchAll(/"(?:Postgres|Redis) (\d+)"/g)];
  for (const { permissions, jobs } of workflows.values()) {
    assert.deepEqual(permissions, { contents: 'read' });
    for (const { services } of Object.values(jobs))
      assert.deepEqual(
        Object.values(services).flatMap((service) => service.ports),
        ports.map(([, port]) => `127.0.0.1:${port}:${port}`),
      );
  }
});

test('each workflow, and .ci/run as root, installs the programs without which tests fail with CI=true', () => {
  const programs = new Map([
    ['caddy', 'caddy'],
    ['prometheus', 'promtool'],
  ]);
  for (const name of workflows.keys()) {
    const installed = commandsOf(name).flatMap(
      (command) => / install \S+ \S+ (.+)$/.exec(command)?.[1] ?? [],
    );
    assert.deepEqual(installed.flatMap((packages) => packages.split(' ')).toSorted(), [...programs.keys()]);
  }
  const [beforeTests = ''] = readFileSync(join(ROOT, '.ci/run'), 'utf8').split('npm test -- --retry');
  for (const [deb, program] of programs)
    assert.match(beforeTests, new RegExp(`command -v ${program} .*\\n  packages\\+=\\(${deb}\\)`));
});

test('every command of a workflow is a file that can be run, a script of package.json, or installs a package', () => {
  for (const name of workflows.keys()) {
    for (const command of commandsOf(name)) {
      const [program = '', , script = ''] = command.split(' ');
      if (program === 'npm') assert.ok(Object.hasOwn(scriptsOf(), script), command);
      else if (program === 'sudo') assert.match(command, APT);
      else accessSync(join(ROOT, program), constants.X_OK);
    }
  }
});

test('a tag runs everything, then makes the files of its version, without committing and without publishing', () => {
  assert.deepEqual(workflows.get('release.yml')?.on.push, { tags: ['v*'] });
  const [all, release, ...more] = commandsOf('release.yml').filter((command) => !APT.test(command));
  assert.equal(all, '.ci/run');
  assert.match(
    release ?? '',
    /^npm run release -- --version "\$\{GITHUB_REF_NAME#v\}" --out "\$RUNNER_TEMP\/\w+" --prepared$/,
  );
  assert.deepEqual(more, []);
});

test('actions are named by their commit, and leave no credentials where the suites run', () => {
  for (const { jobs } of workflows.values())
    for (const { steps } of Object.values(jobs)) {
      const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
      assert.equal(checkouts.length, 1);
      assert.equal(checkouts[0]?.with?.['persist-credentials'], false);
    }
});
