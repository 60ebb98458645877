import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVITATION_ROUNDS } from '../../src/features/rate-limits/sign-in-attempts.ts';
import { PASSWORD_LEAST_CHARACTERS, PASSWORD_MOST_CHARACTERS } from '../../src/features/sign-in/passwords.ts';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES } from '../../src/vocabulary/member-roles.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/sign-in.md');

test('docs/sign-in.md has the roles there are, with the scopes of each and whether it manages members', () => {
  const documented = tableRows(page, 'Members').map((row) => ({
    role: plain(cell(row, 'Role')),
    scopes: cell(row, 'Scopes').split(', ').map(plain),
    manages: cell(row, 'Manages members') === 'yes',
  }));
  const known = MEMBER_ROLE_NAMES.map((role) => {
    const { scopes, manages } = MEMBER_ROLES[role];
    return { role, scopes: [...scopes], manages };
  });
  assert.deepEqual(documented, known);
});

test('docs/sign-in.md has the numbers the service uses', () => {
  const attempts = tableRows(page, 'Attempts').map((row) => [
    plain(cell(row, 'Limit')),
    Number(cell(row, 'Most')),
  ]);
  assert.deepEqual(attempts, [
    ['sign_in_attempts', LIMITS.sign_in_attempts.default],
    ['sign_in_address_attempts', LIMITS.sign_in_address_attempts.default],
    ['sign_in_account_attempts', LIMITS.sign_in_account_attempts.default],
    ['sign_in_attempts', LIMITS.sign_in_attempts.default],
  ]);
  for (const [heading, text] of [
    ['First person', `for ${LIMITS.first_run_hours.default} hours`],
    ['Members', `for ${LIMITS.invitation_days.default} days`],
    [
      'Members',
      `At most ${LIMITS.open_invitations.default} can be open, and at most ${LIMITS.open_invitations.default * INVITATION_ROUNDS} can be created`,
    ],
    ['Passwords', `has ${PASSWORD_LEAST_CHARACTERS} to ${PASSWORD_MOST_CHARACTERS} characters`],
    ['Forgotten passwords', `for ${LIMITS.password_reset_minutes.default} minutes`],
    ['E-mail address', `for ${LIMITS.password_reset_minutes.default} minutes`],
    [
      'Sessions',
      `after ${LIMITS.session_idle_days.default} days without use, and after ${LIMITS.session_days.default} days`,
    ],
    ['Sessions', `at most ${LIMITS.sessions_per_user.default}`],
    ['Sessions', `within the last ${LIMITS.fresh_sign_in_minutes.default} minutes`],
    ['Attempts', `queues ${LIMITS.password_checks_waiting.default}`],
    ['Mail', `at most ${LIMITS.password_reset_mails.default} password reset mails in 15 minutes`],
  ] as const) {
    assert.ok(section(page, heading).includes(text), `${heading}: ${text}`);
  }
});
