import assert from 'node:assert/strict';
import type { Operation } from '../../src/operations/operation.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { rememberRejected } from '../../src/storage/rejected-rows.ts';
import { parsePublicId, rowId } from '../../src/vocabulary/ids.ts';
import { aimed } from '../connectors/destinations/support/linked.ts';
import type { Trouble } from '../connectors/destinations/support/vendor.ts';
import { send } from './asks.ts';
import { crowded } from './data-codes.ts';
import { askAbout } from './inputs.ts';
import { changedFilter } from './list-pages.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { budgetBody, made, okay, syncBody, webhook } from './things.ts';

/** A sync of the shared owner that has not run. */
async function freshSync({ things }: Scene): Promise<{ readonly id: string; readonly destination: string }> {
  const destination = await webhook(things.owner);
  const body = { ...syncBody(things.owner.account, destination), run_now: false };
  return { id: (await made(things.owner, '/v2/syncs', body)).id, destination };
}

/** A fresh sync, prepared; the operation is asked about it. */
function about(
  prepare: (scene: Scene, sync: { readonly id: string; readonly destination: string }) => Promise<unknown>,
): Provoke {
  return async (scene, operation) => {
    const sync = await freshSync(scene);
    await prepare(scene, sync);
    return send(
      scene.things.owner,
      askAbout(operation, (thing) => (thing === 'sync' ? sync.id : scene.things.ids(thing))),
    );
  };
}

/** A sync, asked to fill in these days. */
const fillingIn =
  (body: object): Provoke =>
  ({ things }, operation) =>
    send(things.owner, { ...askAbout(operation, things.ids), body });

/** A new sync to a destination in a state. */
function writingTo(values: Readonly<Record<string, string>>): Provoke {
  return async ({ stage, things }, operation) => {
    const destination = await webhook(things.owner);
    await stage.change('destinations', 'destination', destination, values);
    return send(things.owner, {
      ...askAbout(operation, things.ids),
      body: syncBody(things.owner.account, destination),
    });
  };
}

const disabled = about(async ({ things }, { id }) =>
  okay(await things.owner.v2('POST', `/v2/syncs/${id}`, { enabled: false })),
);
const destinationDisabled = about(({ stage }, { destination }) =>
  stage.change('destinations', 'destination', destination, { status: 'disabled' }),
);

/** The queue accepts nothing while the operation is called for a sync that could run. */
const undispatched: Provoke = async (scene, operation) => {
  const sync = await freshSync(scene);
  const { stage, things } = scene;
  return stage.withBrokenTable('sync_runs', () =>
    send(
      things.owner,
      askAbout(operation, (thing) => (thing === 'sync' ? sync.id : things.ids(thing))),
    ),
  );
};

const notAimed = about(({ stage }, { destination }) =>
  stage.change('destinations', 'destination', destination, { status: 'reauth_required' }),
);

/** As in the moment in which a deletion has taken the destination and not yet the sync. */
const destinationGone = about(({ stage }, { destination }) =>
  stage.vanish('destinations', 'destination', destination),
);

const underWay = about(async ({ stage, things }, { id }) => {
  const run = await made(things.owner, `/v2/syncs/${id}/run`, undefined);
  await stage.change('sync_runs', 'sync_run', run.id, { status: 'running', completed_at: null });
});

/** A sync of trades whose owner has no plan that reads them any more. */
const tradesOnDeveloperPlan: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.linked();
  const { id } = await made(owner, '/v2/syncs', syncBody(owner.account, await webhook(owner)));
  await stage.change('syncs', 'sync', id, { type: 'trades' });
  await stage.service.app.services.accountRecords.update(owner.record.id, { plan: 'developer' });
  return send(
    owner,
    askAbout(operation, (thing) => (thing === 'sync' ? id : things.ids(thing))),
  );
};

/** A sync of someone whose categories do not exist yet and cannot be made. */
const unplantedSync: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.linked();
  const body = syncBody(owner.account, await webhook(owner));
  const options = { ...body.options, custom_categories: true };
  const { id } = await made(owner, '/v2/syncs', { ...body, options, run_now: false });
  const ask = askAbout(operation, (thing) => (thing === 'sync' ? id : things.ids(thing)));
  return stage.withBrokenTable('categories', () => send(owner, ask));
};

/** A sync to a budgeting app that maps its account. */
async function budgetSync({ things }: Scene): Promise<string> {
  const { id } = await aimed(things.owner, 'ynab');
  return (await made(things.owner, '/v2/syncs', budgetBody(things.owner.account, id))).id;
}

/** A sync whose destination fails while its rows are read. */
function unreadable(trouble: Trouble): Provoke {
  return async (scene, operation) => {
    const id = await budgetSync(scene);
    const { stage, things } = scene;
    stage.vendor.troubles.set('/rows', trouble);
    const ask = askAbout(operation, (thing) => (thing === 'sync' ? id : things.ids(thing)));
    return send(things.owner, ask).finally(() => stage.vendor.troubles.clear());
  };
}

/** What a failing budgeting app is asked, by operation. */
async function checked(
  scene: Scene,
  operation: Pick<Operation, 'id'>,
): Promise<{ readonly path: string; readonly body: object }> {
  const { owner } = scene.things;
  if (operation.id === 'create_sync') {
    const { id } = await aimed(owner, 'ynab');
    return { path: '/v2/syncs', body: budgetBody(owner.account, id) };
  }
  const path = `/v2/syncs/${await budgetSync(scene)}`;
  if (operation.id === 'update_sync') {
    const { account_mappings } = budgetBody(owner.account, '');
    return { path, body: { account_mappings } };
  }
  const mapping = { provider_category: 'FOOD_AND_DRINK_COFFEE', destination_category: 'coffee' };
  return { path: `${path}/category_mappings`, body: { mappings: [mapping] } };
}

/** A budgeting app has trouble while it is asked for what is to be written to. */
function unchecked(trouble: Trouble, times = 1): Provoke {
  return async (scene, operation) => {
    const { stage, things } = scene;
    const { path, body } = await checked(scene, operation);
    stage.vendor.troubles.set('/check', trouble);
    const answers = await stage
      .atOnce(times, () => things.owner.v2('POST', path, body))
      .finally(() => stage.vendor.troubles.clear());
    return answers.find(({ status }) => status === 429) ?? answers[0] ?? assert.fail();
  };
}

const CHECK_CODES: Provocations = {
  upstream_auth_failed: unchecked({ status: 401 }),
  upstream_bad_request: unchecked({ status: 404 }),
  upstream_failed: unchecked('not json'),
  upstream_rate_limited: unchecked({ status: 429 }),
  upstream_timeout: unchecked('hang'),
  upstream_unavailable: unchecked({ status: 500 }),
  too_many_concurrent_requests: unchecked('hang', 9),
};

export const SYNC_CODES: Readonly<Record<string, Provocations>> = {
  create_sync: {
    ...CHECK_CODES,
    not_supported: writingTo({ type: 'notion' }),
    destination_incomplete: writingTo({ status: 'incomplete' }),
    destination_disabled: writingTo({ status: 'disabled' }),
    mapping_required: async ({ things }, operation) => {
      const { id } = await aimed(things.owner, 'ynab');
      return send(things.owner, {
        ...askAbout(operation, things.ids),
        body: { ...budgetBody(things.owner.account, id), account_mappings: [] },
      });
    },
    destination_in_use: ({ things }, operation) => send(things.owner, askAbout(operation, things.ids)),
    professional_required: async ({ stage }, operation) => {
      const owner = await stage.linked();
      await stage.service.app.services.accountRecords.update(owner.record.id, { plan: 'developer' });
      const body = { ...syncBody(owner.account, await webhook(owner)), type: 'trades' };
      return send(owner, { ...askAbout(operation, () => ''), body });
    },
    sync_limit_reached: async ({ stage }, operation) => {
      const owner = await stage.linked();
      const limits = { connections: 9, accounts: 9, syncs: 0, destinations: 9 };
      await stage.service.app.services.accountRecords.update(owner.record.id, { limits });
      const body = syncBody(owner.account, await webhook(owner));
      return send(owner, { ...askAbout(operation, () => ''), body });
    },
    sync_create_failed: async ({ stage, things }, operation) => {
      const body = syncBody(things.owner.account, await webhook(things.owner));
      return stage.withBrokenTable('syncs', () =>
        send(things.owner, { ...askAbout(operation, things.ids), body }),
      );
    },
    sync_dispatch_failed: async ({ stage, things }, operation) => {
      const body = syncBody(things.owner.account, await webhook(things.owner));
      return stage.withBrokenTable('sync_runs', () =>
        send(things.owner, { ...askAbout(operation, things.ids), body }),
      );
    },
  },
  update_sync: {
    ...CHECK_CODES,
    not_supported: async (scene, operation) => {
      const { stage, things } = scene;
      const { id, destination } = await freshSync(scene);
      await stage.change('destinations', 'destination', destination, { type: 'actual' });
      const { account_mappings } = budgetBody(things.owner.account, '');
      return send(things.owner, { ...askAbout(operation, () => id), body: { account_mappings } });
    },
    parameter_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { account_mappings: [{}] } }),
    mapping_required: async (scene, operation) => {
      const id = await budgetSync(scene);
      const { owner } = scene.things;
      return send(owner, {
        ...askAbout(operation, () => id),
        body: { accounts: owner.accounts.slice(0, 2) },
      });
    },
  },
  list_category_mappings: {
    not_supported: ({ things }, operation) => send(things.owner, askAbout(operation, things.ids)),
    sync_has_no_destination: destinationGone,
  },
  set_category_mappings: {
    ...CHECK_CODES,
    not_supported: ({ things }, operation) => send(things.owner, askAbout(operation, things.ids)),
    sync_has_no_destination: destinationGone,
  },
  run_sync: {
    destination_incomplete: notAimed,
    sync_has_no_destination: destinationGone,
    sync_disabled: disabled,
    destination_disabled: destinationDisabled,
    sync_already_running: underWay,
    sync_dispatch_failed: undispatched,
  },
  backfill_sync: {
    not_supported: about(({ stage }, { id }) => stage.change('syncs', 'sync', id, { type: 'holdings' })),
    invalid_date_range: fillingIn({ from: '2026-06-02', to: '2026-06-01' }),
    from_too_old: fillingIn({ from: '2001-01-01' }),
    destination_incomplete: notAimed,
    sync_has_no_destination: destinationGone,
    sync_disabled: disabled,
    destination_disabled: destinationDisabled,
    sync_already_running: underWay,
    sync_dispatch_failed: undispatched,
  },
  dry_run_sync: {
    sync_has_no_destination: destinationGone,
    sync_already_running: underWay,
    professional_required: tradesOnDeveloperPlan,
    too_many_concurrent_requests: crowded,
    categories_seed_failed: unplantedSync,
  },
  verify_sync: {
    sync_has_no_destination: destinationGone,
    sync_already_running: underWay,
    destination_disabled: destinationDisabled,
    not_supported: about(({ stage }, { destination }) =>
      stage.change('destinations', 'destination', destination, { type: 'notion' }),
    ),
    professional_required: tradesOnDeveloperPlan,
    too_many_concurrent_requests: crowded,
    categories_seed_failed: unplantedSync,
    upstream_auth_failed: unreadable({ status: 401 }),
    upstream_bad_request: unreadable({ status: 404 }),
    upstream_failed: unreadable('not json'),
    upstream_rate_limited: unreadable({ status: 429 }),
    upstream_timeout: unreadable('hang'),
    upstream_unavailable: unreadable({ status: 500 }),
  },
  export_sync: { professional_required: tradesOnDeveloperPlan, categories_seed_failed: unplantedSync },
  resync: {
    destination_incomplete: notAimed,
    sync_has_no_destination: destinationGone,
    sync_disabled: disabled,
    destination_disabled: destinationDisabled,
    sync_dispatch_failed: undispatched,
  },
  refresh_connection: {
    sync_dispatch_failed: undispatched,
    upstream_auth_failed: async ({ stage }, operation) => {
      const owner = await stage.withoutCredentials();
      return send(
        owner,
        askAbout(operation, () => owner.connection),
      );
    },
  },
  list_sync_runs: {
    page_filters_changed: async (scene, operation) => {
      const { id } = await freshSync(scene);
      const run = await made(scene.things.owner, `/v2/syncs/${id}/run`, undefined);
      await scene.stage.change('sync_runs', 'sync_run', run.id, { status: 'failed' });
      await made(scene.things.owner, `/v2/syncs/${id}/run`, undefined);
      return changedFilter(scene.things.owner, operation, () => id);
    },
  },
  list_rejected_rows: {
    page_filters_changed: async (scene, operation) => {
      const { id } = await freshSync(scene);
      await rejectTwo(scene, id);
      return changedFilter(scene.things.owner, operation, () => id);
    },
  },
  cancel_sync_run: {
    run_not_cancellable: async (scene, operation) => {
      const sync = await freshSync(scene);
      const run = await made(scene.things.owner, `/v2/syncs/${sync.id}/run`, undefined);
      await scene.stage.change('sync_runs', 'sync_run', run.id, {
        status: 'succeeded',
        completed_at: '2026-01-01T00:00:00Z',
      });
      return send(
        scene.things.owner,
        askAbout(operation, () => run.id),
      );
    },
  },
};

/** Has the sync remember two rows that it could not deliver. */
async function rejectTwo({ stage, things }: Scene, id: string): Promise<void> {
  const sync = parsePublicId('sync', id);
  const account = parsePublicId('account', things.ids('account'));
  assert.ok(sync !== null && account !== null);
  const rejecting = { owner: things.owner.record.id, sync, run: rowId('sync_run', newRowId(systemClock)) };
  const why = { day: null, field: 'amount', reason: 'unreadable', content_mac: null };
  const notes = ['txn_fk_1', 'txn_fk_2'].map((row_key) => ({
    account,
    origin: 'provider' as const,
    row_key,
    source_id: row_key,
    ...why,
  }));
  const { db } = stage.service.app.database;
  await db.transaction().execute((trx) => rememberRejected(trx, rejecting, notes, systemClock));
}
