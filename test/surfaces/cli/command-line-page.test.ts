import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { type Actions, programOf as offering } from '../../../src/surfaces/cli/program.ts';

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
const programOf = (actions: Actions) => offering(actions, INTEGRATIONS);
const nothing = async (): Promise<void> => undefined;
const unasked = {
  serve: nothing,
  doctor: nothing,
  demo: nothing,
  restore: nothing,
  tail: nothing,
  documents: nothing,
};
const program = programOf({ run: nothing, ...unasked });

/** Every command a shell can give, with its group's name before its own. */
function leaves(parent: Command, prefix: string): { name: string; options: string[] }[] {
  return parent.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    if (command.commands.length > 0) return leaves(command, `${name} `);
    return [{ name, options: command.options.map((option) => option.long ?? '') }];
  });
}

const rows = [...page.matchAll(/^\| `([a-z][a-z-]*(?: [a-z][a-z-]*)?)(.*?)` \|/gm)].map(
  ([, name = '', rest = '']) => ({
    name,
    options: [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option),
  }),
);

test('The page on the command line shows every command with every option, and nothing that does not exist', () => {
  const documented = new Map<string, Set<string>>();
  for (const { name, options } of rows) {
    documented.set(name, new Set([...(documented.get(name) ?? ['--json']), ...options]));
  }
  const existing = new Map(leaves(program, '').map(({ name, options }) => [name, new Set(options)]));
  assert.deepEqual([...documented.keys()].toSorted(), [...existing.keys()].toSorted());
  for (const [name, options] of existing) {
    assert.deepEqual([...(documented.get(name) ?? [])].toSorted(), [...options].toSorted(), name);
  }
});

test('Every command of the table can be given at a shell; only doctor’s own part and the version cannot', () => {
  const names = new Set(leaves(program, '').map(({ name }) => name));
  assert.deepEqual(
    COMMANDS.map((command) => command.name).filter((name) => !names.has(name)),
    ['inspect', 'version'],
  );
});

test('Every command that is asked of a service is in the table of those a service answers', async () => {
  const asked: string[] = [];
  const asking = programOf({
    run: async (name) => {
      asked.push(name);
    },
    ...unasked,
  });
  const needed: Readonly<Record<string, readonly string[]>> = {
    backup: ['file'],
    restore: ['file'],
    'account create': ['--email', 'a@example.com'],
    'account reset-password': ['--email', 'a@example.com'],
    'account invite': ['--account', 'acc_1', '--email', 'a@example.com', '--role', 'owner'],
    'account members': ['acc_1'],
    'account delete': ['acc_1', '--confirm', 'a@example.com'],
    'account remove-second-factor': ['--email', 'a@example.com'],
    'account remove-member': ['--account', 'acc_1', '--email', 'a@example.com'],
    'sandbox fault': ['--provider', 'p'],
    'sandbox institution': ['inst_1', '--status', 'OUTAGE'],
    'sandbox row': ['--account', 'acct_1'],
    'account update': ['acc_1'],
    export: ['sync_1'],
    'key create': ['--account', 'acc_1', '--name', 'k'],
    'setup-token create': ['--account', 'acc_1', '--name', 'a'],
    'app list': ['--account', 'acc_1'],
    'app rename': ['sfa_1', '--name', 'a'],
    'app update': ['sfa_1', '--two-decimals', 'on'],
    'app revoke': ['sfa_1'],
    link: ['--account', 'acc_1', '--provider', 'au_banking'],
    verify: ['sync_1'],
  };
  for (const { name } of leaves(asking, ''))
    await asking.parseAsync([...name.split(' '), ...(needed[name] ?? [])], { from: 'user' });
  const shells = leaves(asking, '').map(({ name }) => name);
  assert.deepEqual(
    asked,
    shells.filter(
      (name) => !['serve', 'restore', 'doctor', 'demo', 'events tail', 'documents'].includes(name),
    ),
  );
  const answered = new Set(COMMANDS.map(({ name }) => name));
  assert.deepEqual(
    asked.filter((name) => !answered.has(name)),
    [],
  );
});
