import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { findDestination } from '../../../../src/storage/destinations.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const UPDATE = 'POST *batchUpdate';

/** A scene with one row to write. */
async function scene() {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [posted(1)]);
  return { opened, account, sync: await opened.sync([account]) };
}

interface Case {
  readonly what: string;
  readonly act: (opened: Scene) => void;
  readonly failure: string;
  readonly retryable: boolean;
}

const always = 1000;
const CASES: readonly Case[] = [
  {
    what: 'a grant that the person withdrew',
    act: ({ google }) => google.control.revokeGrants(),
    failure: 'destination_auth_failed',
    retryable: false,
  },
  {
    what: 'a token that does not cover the scope',
    act: ({ google }) => google.control.setScope(false),
    failure: 'destination_auth_failed',
    retryable: false,
  },
  {
    what: 'an unknown spreadsheet',
    act: ({ google, spreadsheet }) => google.control.deleteSpreadsheet(spreadsheet),
    failure: 'destination_resource_missing',
    retryable: false,
  },
  {
    what: 'a spreadsheet in the bin',
    act: ({ google, spreadsheet }) => google.control.setTrashed(spreadsheet, true),
    failure: 'destination_resource_missing',
    retryable: false,
  },
  {
    what: '403 about the file while the token works',
    act: ({ google }) =>
      void google.control.addFault({ route: UPDATE, kind: 'refusal', status: 403, count: always }),
    failure: 'destination_resource_missing',
    retryable: false,
  },
  {
    what: '429 that does not end',
    act: ({ google }) => void google.control.addFault({ route: UPDATE, kind: 'rate-limit', count: always }),
    failure: 'rate_limited',
    retryable: true,
  },
  {
    what: '500 that does not end',
    act: ({ google }) => void google.control.addFault({ route: UPDATE, kind: 'server-error', count: always }),
    failure: 'run_failed',
    retryable: true,
  },
  {
    what: '503 that does not end',
    act: ({ google }) => void google.control.addFault({ route: '*', kind: 'unavailable', count: always }),
    failure: 'run_failed',
    retryable: true,
  },
  {
    what: '504 that does not end',
    act: ({ google }) =>
      void google.control.addFault({ route: '*', kind: 'refusal', status: 504, count: always }),
    failure: 'timeout',
    retryable: true,
  },
  {
    what: 'protected cells',
    act: ({ google, spreadsheet }) => google.control.setProtected(spreadsheet, true),
    failure: 'run_failed',
    retryable: false,
  },
  {
    what: 'answers that are not JSON',
    act: ({ google }) =>
      void google.control.addFault({ route: 'GET /v4/*', kind: 'malformed-json', count: always }),
    failure: 'run_failed',
    retryable: true,
  },
];

describe('a run that Google fails', () => {
  for (const { what, act, failure, retryable } of CASES) {
    test(`with ${what} ends as ${failure}, and is complete when that has passed`, async () => {
      const { opened, sync } = await scene();
      await using _ = opened;
      act(opened);
      const run = await opened.world.run(sync);
      assert.deepEqual(
        [run.status, run.failure, run.retryable, run.added],
        ['failed', failure, retryable, 0],
      );
      const row = await findDestination(
        opened.world.database.db,
        opened.world.owner.id,
        opened.destination.id,
      );
      const expected = failure === 'destination_auth_failed' ? 'reauth_required' : 'active';
      assert.equal(row?.status, expected);
      assert.deepEqual(opened.ids, []);
      if (!retryable) return;
      opened.google.control.clearFaults();
      assert.deepEqual((await opened.world.run(sync)).added, 1);
      assert.deepEqual(opened.ids, [posted(1).id]);
    });
  }

  for (const kind of ['rate-limit', 'server-error', 'unavailable', 'truncated-body', 'html-page'] as const) {
    test(`once with ${kind} at any call is not failed at all, or complete after one more run`, async () => {
      for (let call = 0; call < 5; call++) {
        const { opened, sync } = await scene();
        await using _ = opened;
        opened.google.control.addFault({ route: '*', kind, after: call });
        const run = await opened.world.run(sync);
        if (run.status !== 'succeeded') await opened.world.run(sync);
        assert.deepEqual(opened.ids, [posted(1).id], `${kind} at ${call}`);
        const added = (await opened.world.allRuns(sync)).reduce((sum, one) => sum + one.added, 0);
        assert.equal(added, 1, `${kind} at ${call}`);
      }
    });
  }

  test('says what happened without a row or a secret', async () => {
    const { opened, account, sync } = await scene();
    await using _ = opened;
    opened.world.bank.accounts.set(account, [posted(1, { description: 'canary-row' })]);
    const messages: string[] = [];
    const { connector } = opened.google;
    const open = connector.open.bind(connector);
    Object.assign(connector, {
      open: async (...given: Parameters<typeof open>) => {
        const writer = await open(...given);
        const write = writer.write.bind(writer);
        return Object.assign(writer, {
          write: (...chunk: Parameters<typeof write>) =>
            write(...chunk).catch((error: Error) => {
              messages.push(`${error.message} ${String(error.cause)}`);
              throw error;
            }),
        });
      },
    });
    opened.google.control.addFault({ route: UPDATE, kind: 'refusal', status: 403 });
    await opened.world.run(sync);
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /Google Sheets answered 403/);
    assert.doesNotMatch(messages[0] ?? '', /canary|Bearer|secret/);
  });
});
