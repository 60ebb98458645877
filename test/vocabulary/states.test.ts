import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as states from '../../src/vocabulary/states.ts';

interface Machine {
  readonly statuses: readonly string[];
  readonly moves: readonly states.Move<string>[];
  readonly initial: readonly string[];
  readonly final: readonly string[];
}

const MACHINES: Readonly<Record<string, Machine>> = {
  api_key: {
    statuses: states.API_KEY_STATUSES,
    moves: states.API_KEY_MOVES,
    initial: ['active'],
    final: ['revoked'],
  },
  document: {
    statuses: states.DOCUMENT_STATUSES,
    moves: states.DOCUMENT_MOVES,
    initial: ['uploaded'],
    final: [],
  },
  simplefin_setup_token: {
    statuses: states.SIMPLEFIN_SETUP_TOKEN_STATUSES,
    moves: states.SIMPLEFIN_SETUP_TOKEN_MOVES,
    initial: ['open'],
    final: ['revoked'],
  },
  simplefin_app: {
    statuses: states.SIMPLEFIN_APP_STATUSES,
    moves: states.SIMPLEFIN_APP_MOVES,
    initial: ['active'],
    final: ['revoked'],
  },
  invitation: {
    statuses: states.INVITATION_STATUSES,
    moves: states.INVITATION_MOVES,
    initial: ['open'],
    final: ['accepted', 'revoked'],
  },
  one_time_link: {
    statuses: states.ONE_TIME_LINK_STATUSES,
    moves: states.ONE_TIME_LINK_MOVES,
    initial: ['open'],
    final: ['used', 'expired'],
  },
  connected_app: {
    statuses: states.CONNECTED_APP_STATUSES,
    moves: states.CONNECTED_APP_MOVES,
    initial: ['active'],
    final: ['revoked'],
  },
  link_session: {
    statuses: states.LINK_SESSION_STATUSES,
    moves: states.LINK_SESSION_MOVES,
    initial: ['pending'],
    final: ['completed', 'failed'],
  },
  connection: {
    statuses: states.CONNECTION_STATUSES,
    moves: states.CONNECTION_MOVES,
    initial: ['pending'],
    final: ['revoked'],
  },
  consent: {
    statuses: states.CONSENT_STATUSES,
    moves: states.CONSENT_MOVES,
    initial: ['active'],
    final: [],
  },
  account: {
    statuses: states.ACCOUNT_STATUSES,
    moves: states.ACCOUNT_MOVES,
    initial: ['available'],
    final: [],
  },
  destination: {
    statuses: states.DESTINATION_STATUSES,
    moves: states.DESTINATION_MOVES,
    initial: ['incomplete'],
    final: [],
  },
  destination_link: {
    statuses: states.DESTINATION_LINK_STATUSES,
    moves: states.DESTINATION_LINK_MOVES,
    initial: ['pending'],
    final: ['completed', 'failed'],
  },
  sync: { statuses: states.SYNC_STATUSES, moves: states.SYNC_MOVES, initial: ['idle'], final: [] },
  sync_run: {
    statuses: states.SYNC_RUN_STATUSES,
    moves: states.SYNC_RUN_MOVES,
    initial: ['queued'],
    final: states.FINAL_RUN_STATUSES,
  },
  event_destination: {
    statuses: states.EVENT_DESTINATION_STATUSES,
    moves: states.EVENT_DESTINATION_MOVES,
    initial: ['enabled'],
    final: [],
  },
  event_delivery: {
    statuses: states.EVENT_DELIVERY_STATUSES,
    moves: states.EVENT_DELIVERY_MOVES,
    initial: ['pending'],
    final: [],
  },
};

for (const [name, machine] of Object.entries(MACHINES)) {
  test(`${name}: every move goes between states that exist, and from a state to another`, () => {
    for (const move of machine.moves) {
      assert.ok(machine.statuses.includes(move.to), move.to);
      assert.ok(move.from.length > 0, move.by);
      for (const from of move.from) assert.ok(machine.statuses.includes(from), from);
    }
  });

  test(`${name}: a final state has no way out to another and every other state has one`, () => {
    for (const status of machine.statuses) {
      const out = machine.moves.filter((move) => move.from.includes(status) && move.to !== status);
      assert.equal(out.length === 0, machine.final.includes(status), status);
    }
  });

  test(`${name}: every state is reached from the first`, () => {
    const reached = new Set(machine.initial);
    for (const _ of machine.statuses) {
      for (const move of machine.moves) if (move.from.some((from) => reached.has(from))) reached.add(move.to);
    }
    assert.deepEqual([...reached].toSorted(), [...machine.statuses].toSorted());
  });

  test(`${name}: one cause in one state has one outcome`, () => {
    const causes = machine.moves.flatMap((move) => move.from.map((from) => `${from} | ${move.by}`));
    assert.equal(new Set(causes).size, causes.length);
  });
}

test('every table of moves and every list of statuses is checked here', () => {
  const exported = Object.keys(states).filter((name) => name.endsWith('_MOVES'));
  assert.equal(Object.keys(MACHINES).length, exported.length);
});
