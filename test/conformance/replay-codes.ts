import assert from 'node:assert/strict';
import { send, unknownId } from './asks.ts';
import { crowded } from './data-codes.ts';
import { askAbout } from './inputs.ts';
import { loggedDelivery } from './logged-delivery.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import type { LinkedOwner } from './stage.ts';
import { made, syncBody, webhook } from './things.ts';

interface Delivered {
  readonly owner: LinkedOwner;
  readonly destination: string;
  readonly sync: string;
}

/** A sync to a webhook with a delivery of its own, prepared; the operation is asked about it. */
function about(
  prepare: (scene: Scene, made: Delivered) => Promise<unknown>,
  ownerOf: (scene: Scene) => Promise<LinkedOwner> = async ({ things }) => things.owner,
  more: object = {},
): Provoke {
  return async (scene, operation) => {
    const owner = await ownerOf(scene);
    const destination = await webhook(owner);
    const body = { ...syncBody(owner.account, destination), ...more, run_now: false };
    const sync = (await made(owner, '/v2/syncs', body)).id;
    const { service } = scene.stage;
    const webhook_delivery = await loggedDelivery(service, { destination, sync, account: owner.account });
    await prepare(scene, { owner, destination, sync });
    const ids: Readonly<Record<string, string>> = { destination, sync, webhook_delivery };
    return send(
      owner,
      askAbout(operation, (thing) => ids[thing] ?? assert.fail(thing)),
    );
  };
}

const newOwner = ({ stage }: Scene) => stage.linked();

/** Two API keys of an account record: each has a heavy request of its own, and they share idempotency keys. */
const askedByTwoKeys: Provoke = async ({ stage, things }, operation) => {
  const callers = [things.owner, await stage.key(things.owner, {})];
  const ask = askAbout(operation, unknownId);
  for (const waitMs of [40, 400, 4000]) {
    const used = { 'idempotency-key': `both ${operation.id} ${waitMs}` };
    const both = callers.map((caller) => () => send(caller, ask, used));
    const answers = await stage.whileIdempotencyWaits(waitMs, both);
    const refused = answers.find((answer) => answer.body?.error?.code === 'idempotency_key_in_use');
    if (refused !== undefined) return refused;
  }
  return assert.fail('the second request never met the first');
};

const REPLAY_CODES: Provocations = {
  idempotency_key_in_use: askedByTwoKeys,
  not_a_webhook: about(({ stage }, { destination }) =>
    stage.change('destinations', 'destination', destination, { type: 'sheets' }),
  ),
  destination_disabled: about(({ stage }, { destination }) =>
    stage.change('destinations', 'destination', destination, { status: 'disabled' }),
  ),
  sync_already_running: about(async ({ stage }, { owner, sync }) => {
    const run = await made(owner, `/v2/syncs/${sync}/run`, undefined);
    await stage.change('sync_runs', 'sync_run', run.id, { status: 'running', completed_at: null });
  }),
  professional_required: about(async ({ stage }, { owner, sync }) => {
    await stage.change('syncs', 'sync', sync, { type: 'trades' });
    await stage.service.app.services.accountRecords.update(owner.record.id, { plan: 'developer' });
  }, newOwner),
  too_many_concurrent_requests: crowded,
  categories_seed_failed: async (scene, operation) => {
    const options = { data_from: '2026-01-01', custom_categories: true };
    const ask = about(async () => undefined, newOwner, { options });
    return scene.stage.withBrokenTable('categories', () => ask(scene, operation));
  },
};

const withBody =
  (body: object): Provoke =>
  ({ things }, operation) =>
    send(things.owner, { ...askAbout(operation, things.ids), body });

export const REPLAYS: Readonly<Record<string, Provocations>> = {
  list_webhook_deliveries: { not_a_webhook: REPLAY_CODES.not_a_webhook ?? assert.fail() },
  replay_webhook_delivery: REPLAY_CODES,
  replay_sync: {
    ...REPLAY_CODES,
    not_supported: about(({ stage }, { sync }) => stage.change('syncs', 'sync', sync, { type: 'holdings' })),
    invalid_date_range: withBody({ from: '2026-06-02', to: '2026-06-01' }),
    from_too_old: withBody({ from: '2001-01-01' }),
    sync_has_no_destination: about(({ stage }, { destination }) =>
      stage.vanish('destinations', 'destination', destination),
    ),
  },
};
