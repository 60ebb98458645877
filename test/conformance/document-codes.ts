import { LIMITS } from '../../src/vocabulary/limits.ts';
import {
  CSV_LAYOUT,
  contentOf,
  ofxOf,
  STATEMENT,
  upload,
  uploadAndTake,
} from '../features/documents/statements.ts';
import type { TestOwner } from '../support/service.ts';
import { send, unknownId } from './asks.ts';
import { BANK_CODES, idsOf } from './bank-faults.ts';
import { crowded } from './data-codes.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { okay } from './things.ts';

/** Asked about a file of an account that is linked live, by an owner with nothing else. */
function withLiveFeed(provoke: Provoke): Provoke {
  return async ({ stage, things }, operation) => {
    const owner = await stage.linked();
    return provoke({ stage, things: { owner, ids: await idsOf(owner, things, operation) } }, operation);
  };
}

/** A file is still read where its bank no longer returns the account: it has no live rows. */
const { account_unavailable: _, ...feedFaults } = BANK_CODES;

/** What a failing live feed answers for a file of its account. */
const LIVE_FEED_CODES: Provocations = {
  ...Object.fromEntries(
    Object.entries(feedFaults).map(([code, provoke]) => [code, withLiveFeed(provoke)] as const),
  ),
  too_many_concurrent_requests: withLiveFeed(crowded),
  categories_seed_failed: withLiveFeed(({ stage, things }, operation) =>
    stage.withBrokenTable('categories', () => send(things.owner, askAbout(operation, things.ids))),
  ),
};

/** A file of a new owner, prepared; the operation is asked about it, with the body if one is given. */
function about(prepare: (owner: TestOwner, scene: Scene) => Promise<string>, body?: object): Provoke {
  return async (scene, operation) => {
    const owner = await scene.stage.service.owner();
    const id = await prepare(owner, scene);
    const ask = askAbout(operation, () => id);
    return send(owner, body === undefined ? ask : { ...ask, body });
  };
}

/** A file of someone whose plan has no place for the connection of statement files. */
const full = about(async (owner, { stage }) => {
  const { id } = await upload(owner, 'a.ofx', ofxOf(STATEMENT));
  const limits = { connections: 0, accounts: 0, syncs: 0, destinations: 0 };
  await stage.service.app.services.accountRecords.update(owner.record.id, { limits });
  return id;
});

const taken = about(async (owner) => (await uploadAndTake(owner, 'a.ofx', ofxOf(STATEMENT))).id, {
  account: null,
});

/**
 * A few rows, whose cells have more lines together than a file may have rows. Their quotes are quotes only if the columns
 * are separated by semicolons.
 */
const LONG_CELLS = `Date;Description;Amount\n${`2026-09-01;"${'x\n'.repeat(4_900)}";-4.50\n`.repeat(21)}`;

/** A file that can be read, whose owner then says that it is read in a way in which it cannot. */
const misread = about(async (owner) => {
  const { id } = await upload(owner, 'a.csv', LONG_CELLS, { layout: { ...CSV_LAYOUT, delimiter: ';' } });
  okay(await owner.v2('POST', `/v2/documents/${id}`, { layout: CSV_LAYOUT }));
  return id;
});

const withBody =
  (body: unknown): Provoke =>
  ({ things }, operation) =>
    send(things.owner, { ...askAbout(operation, things.ids), body });

const file = { name: 'a.ofx', content: contentOf(ofxOf(STATEMENT)) };

export const DOCUMENT_CODES: Readonly<Record<string, Provocations>> = {
  create_document: {
    resource_missing: withBody({ ...file, account: unknownId('account') }),
    document_unusable: withBody({ name: 'a.png', content: contentOf('\u0000\u0001\u0002') }),
    body_too_large: withBody(`{"content":"${'A'.repeat(2 * LIMITS.document_bytes.default)}"}`),
    too_many_concurrent_requests: crowded,
  },
  get_document_file: { too_many_concurrent_requests: crowded },
  preview_document: { ...LIVE_FEED_CODES, document_unusable: misread },
  update_document: {
    parameter_missing: withBody({ layout: {} }),
    document_taken: taken,
  },
  take_document: {
    ...LIVE_FEED_CODES,
    document_unusable: misread,
    connection_limit: full,
  },
};
