import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

/** Members of bodies that determine where data goes, with what secret, or who may read it. */
const OPENING: ReadonlySet<string> = new Set([
  'allowed_ips',
  'destination',
  'expires_at',
  'grace',
  'return_url',
  'scopes',
  'secret',
  'target',
  'webhook_endpoint',
]);

/** Members that never give access to data. A new one must be listed here or in OPENING. */
const HARMLESS: ReadonlySet<string> = new Set([
  'account',
  'account_mappings',
  'accounts',
  'actions',
  'archived',
  'balance_sign',
  'category',
  'chosen_institution',
  'color',
  'columns',
  'conditions',
  'confirm',
  'content',
  'description',
  'enabled',
  'enabled_events',
  'from',
  'icon',
  'in_totals',
  'include_pending',
  'institution',
  'layout',
  'leave_out_extra',
  'limit',
  'mapping_mode',
  'mappings',
  'metadata',
  'name',
  'nickname',
  'options',
  'parent',
  'position',
  'provider',
  'query',
  'retain_days',
  'rules',
  'rulesets',
  'run_now',
  'schedule',
  'sources',
  'stop',
  'timezone',
  'transactions',
  'to',
  'two_decimals',
  'type',
]);

/** Why an operation may take a member of OPENING from an old session anyway. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'create_link_session.return_url':
    'The browser goes there; what is linked is read with the session as before.',
  'reauthorize_connection.return_url':
    'The browser goes there; what is linked is read with the session as before.',
  'create_sync.destination': 'One that the account record has: anyone who added it had signed in.',
};

/** What opens a way without saying so in its body. */
const WHOLE: ReadonlySet<string> = new Set([
  'create_destination_link',
  'create_destination_target',
  'create_simplefin_setup_token',
]);

test('an operation whose body can change a URL, a target, a secret or who may read asks sessions for a fresh sign-in', () => {
  for (const operation of OPERATIONS.filter(({ method }) => method !== 'GET')) {
    for (const member of Object.keys(operation.body.properties)) {
      assert.notEqual(
        OPENING.has(member),
        HARMLESS.has(member),
        `Say in one of OPENING and HARMLESS what ${member} of ${operation.id} is.`,
      );
      const named = `${operation.id}.${member}`;
      if (!OPENING.has(member) || EXCEPTIONS[named] !== undefined) continue;
      assert.ok(isAsked(operation, member), `${named} needs freshSignIn`);
    }
  }
});

test('an operation that answers a secret asks for a fresh sign-in whatever its body says', () => {
  for (const { id, answersSecret, freshSignIn } of OPERATIONS) {
    if (answersSecret || WHOLE.has(id)) assert.equal(freshSignIn, true, `${id} needs freshSignIn`);
  }
});

test('no exception and no judgement outlives the member it is for', () => {
  const members = OPERATIONS.flatMap(({ id, body }) =>
    Object.keys(body.properties).map((name) => [id, name]),
  );
  const names = new Set(members.map(([, name]) => name));
  for (const judged of [...OPENING, ...HARMLESS]) assert.ok(names.has(judged), `no body has ${judged}`);
  const known = new Set(members.map((parts) => parts.join('.')));
  for (const exception of Object.keys(EXCEPTIONS)) assert.ok(known.has(exception), `no ${exception}`);
  for (const id of WHOLE)
    assert.ok(
      OPERATIONS.some((operation) => operation.id === id),
      `no ${id}`,
    );
});

test('docs/sign-in.md has the operations that need a fresh sign-in, and for which members of the body', () => {
  const documented = tableRows(readText('docs/sign-in.md'), 'Fresh sign-in').map((row) => {
    const members = cell(row, 'Asked');
    return [plain(cell(row, 'Operation')), members === 'always' ? true : members.split(', ').map(plain)];
  });
  const known = OPERATIONS.filter(({ freshSignIn }) => freshSignIn !== false).map(({ id, freshSignIn }) => [
    id,
    freshSignIn,
  ]);
  assert.deepEqual(documented, known);
});

function isAsked({ freshSignIn }: Operation, member: string): boolean {
  return typeof freshSignIn === 'boolean' ? freshSignIn : freshSignIn.includes(member);
}
