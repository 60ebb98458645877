import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiKeyStatus } from '../../src/features/access/api-key-authenticator.ts';
import { destinationLinkStatus } from '../../src/features/destinations/destination-links.ts';
import { connectionStatus, consentStatus } from '../../src/features/linking/connection-status.ts';
import { linkSessionStatus } from '../../src/features/linking/link-session-status.ts';
import { statusOfSync } from '../../src/features/syncs/syncs.ts';
import * as states from '../../src/vocabulary/states.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 9, 1);
const pass = fc.integer({ min: 1, max: 45 }).map((days) => ({ kind: 'pass' as const, days }));

/** Steps of a life; a moment is a Date or null, `now` is epoch ms. */
type Step<L> = (life: L & { now: number }) => L;

/** Runs random lives and gathers every change of status they show, as `from -> to`. */
function changesSeen<L extends object>(
  first: (length: number) => L,
  steps: Readonly<Record<string, Step<L>>>,
  status: (life: L, now: number) => string,
): Set<string> {
  const seen = new Set<string>();
  const step = fc.oneof(
    pass,
    fc.constantFrom(...Object.keys(steps)).map((name) => ({ kind: 'act' as const, name })),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.array(step, { maxLength: 12 }), (length, walk) => {
      let now = START;
      let life = first(length);
      let before = status(life, now);
      for (const one of walk) {
        if (one.kind === 'pass') {
          for (let day = 0; day < one.days; day++) {
            now += DAY;
            before = note(seen, before, status(life, now));
          }
          continue;
        }
        const act = steps[one.name];
        if (act !== undefined) life = act({ ...life, now });
        before = note(seen, before, status(life, now));
      }
    }),
    { numRuns: 3000 },
  );
  return seen;
}

function note(seen: Set<string>, before: string, after: string): string {
  if (before !== after) seen.add(`${before} -> ${after}`);
  return after;
}

function allowed(moves: readonly states.Move<string>[]): string[] {
  return [...new Set(moves.flatMap((move) => move.from.map((from) => `${from} -> ${move.to}`)))].toSorted();
}

const days = (from: number, count: number) => new Date(from + count * DAY);

test('an API key changes its status only by the moves of its table, and by each of them', () => {
  interface Key {
    revoked_at: Date | null;
    expires_at: Date | null;
    expiring_at: Date | null;
  }
  const seen = changesSeen<Key>(
    (length) => ({ revoked_at: null, expires_at: days(START, length), expiring_at: null }),
    {
      rotate: ({ now, ...key }) =>
        apiKeyStatus(key, now) === 'active' ? { ...key, expiring_at: days(now, 7) } : key,
      revoke: ({ now, ...key }) => ({ ...key, revoked_at: key.revoked_at ?? new Date(now) }),
    },
    apiKeyStatus,
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.API_KEY_MOVES));
});

test('a link session changes its status only by the moves of its table, and by each of them', () => {
  interface Session {
    completed_at: Date | null;
    failed_at: Date | null;
    expires_at: Date;
  }
  const open = (session: Session) => session.completed_at === null && session.failed_at === null;
  const seen = changesSeen<Session>(
    (length) => ({ completed_at: null, failed_at: null, expires_at: days(START, length) }),
    {
      complete: ({ now, ...session }) =>
        open(session) ? { ...session, completed_at: new Date(now) } : session,
      fail: ({ now, ...session }) => (open(session) ? { ...session, failed_at: new Date(now) } : session),
    },
    linkSessionStatus,
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.LINK_SESSION_MOVES));
});

test('a destination link changes its status only by the moves of its table, and by each of them', () => {
  interface Link {
    completed_at: Date | null;
    failed_at: Date | null;
    expires_at: Date;
  }
  const open = (link: Link) => link.completed_at === null && link.failed_at === null;
  const seen = changesSeen<Link>(
    (length) => ({ completed_at: null, failed_at: null, expires_at: days(START, length) }),
    {
      complete: ({ now, ...link }) => (open(link) ? { ...link, completed_at: new Date(now) } : link),
      fail: ({ now, ...link }) => (open(link) ? { ...link, failed_at: new Date(now) } : link),
    },
    destinationLinkStatus,
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.DESTINATION_LINK_MOVES));
});

test('a consent changes its status only by the moves of its table, and by each of them', () => {
  interface Consent {
    expires_at: Date | null;
    withdrawn_at: Date | null;
  }
  const ended = (consent: Consent, now: number) =>
    ['expired', 'withdrawn'].includes(consentStatus(consent, now));
  const seen = changesSeen<Consent>(
    (length) => ({ expires_at: days(START, length + 30), withdrawn_at: null }),
    {
      withdraw: ({ now, ...consent }) =>
        ended(consent, now) ? consent : { ...consent, withdrawn_at: new Date(now) },
      renew: ({ now }) => ({ expires_at: days(now, 365), withdrawn_at: null }),
      renewShortly: ({ now }) => ({ expires_at: days(now, 20), withdrawn_at: null }),
    },
    consentStatus,
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.CONSENT_MOVES));
});

test('a connection changes its status only by the moves of its table, and by each of them', () => {
  interface Link {
    landed_at: Date | null;
    invalidated_at: Date | null;
    revoked_at: Date | null;
    expires_at: Date | null;
  }
  const dead = (link: Link, now: number) =>
    ['expired', 'invalidated', 'revoked'].includes(connectionStatus(link, link, now));
  const seen = changesSeen<Link>(
    (length) => ({
      landed_at: null,
      invalidated_at: null,
      revoked_at: null,
      expires_at: days(START, length),
    }),
    {
      land: ({ now, ...link }) => (dead(link, now) ? link : { ...link, landed_at: new Date(now) }),
      reject: ({ now, ...link }) => (dead(link, now) ? link : { ...link, invalidated_at: new Date(now) }),
      remove: ({ now, ...link }) => ({ ...link, revoked_at: new Date(now) }),
      renew: ({ now, ...link }) =>
        link.revoked_at === null ? { ...link, invalidated_at: null, expires_at: days(now, 365) } : link,
      renewShortly: ({ now, ...link }) =>
        link.revoked_at === null ? { ...link, invalidated_at: null, expires_at: days(now, 20) } : link,
    },
    (link, now) => connectionStatus(link, link, now),
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.CONNECTION_MOVES));
});

test('a sync changes its status only by the moves of its table, and by each of them', () => {
  type Shown = Pick<Parameters<typeof statusOfSync>[0], 'running' | 'attention'>;
  const seen = changesSeen<Shown>(
    () => ({ running: false, attention: null }),
    {
      queue: ({ attention }) => ({ running: true, attention }),
      succeed: (sync) => (sync.running ? { running: false, attention: null } : sync),
      fail: (sync) => (sync.running ? { running: false, attention: 'run_failed' } : sync),
      cancel: ({ attention }) => ({ running: false, attention }),
      park: ({ running }) => ({ running, attention: 'connection_lost' }),
      enableDestination: ({ running }) => ({ running, attention: null }),
    },
    statusOfSync,
  );
  assert.deepEqual([...seen].toSorted(), allowed(states.SYNC_MOVES));
});
