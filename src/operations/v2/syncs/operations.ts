import { type Static, Type } from 'typebox';
import { askedBy } from '../../../features/syncs/run-queue.ts';
import type { OptionsPatch } from '../../../features/syncs/syncs.ts';
import { type AccountMapping, MAPPING_MEMBERS } from '../../../vocabulary/account-mappings.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { isLocalDate } from '../../../vocabulary/moments.ts';
import { invalidParameter } from '../../../vocabulary/service-error.ts';
import { SYNC_STATUSES } from '../../../vocabulary/states.ts';
import { permitSyncChange, syncPermit } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { TRYING_ERRORS } from '../destinations/operations.ts';
import { EXAMPLE_CREATED, exampleId } from '../docs/examples.ts';
import { syncRulesetsBody } from '../rulesets/resource.ts';
import {
  deletedAnswer,
  deletedSchema,
  fieldId,
  idOf,
  idParams,
  oneOf,
  pathId,
} from '../schema/conventions.ts';
import { queuedRunExample } from '../sync-runs/resource.ts';
import { createSyncBody, presentSync, syncExample, syncSchema, updateSyncBody } from './resource.ts';

const path = '/v2/syncs';
const read = 'syncs:read';
const write = 'syncs:write';
const includes = ['latest_run'];

export const syncOperations: readonly Operation[] = [
  operation({
    id: 'list_syncs',
    summary: 'List syncs',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object({
      ...pagingQuery,
      status: Type.Optional(Type.Array(oneOf(SYNC_STATUSES), { maxItems: SYNC_STATUSES.length })),
      enabled: Type.Optional(Type.Boolean()),
      destination: Type.Optional(idOf('destination')),
    }),
    includes,
    response: listOf(syncSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services, include } = request;
      const paging = new ListRequest(request, 'list_syncs', path, request.query);
      const asked = new Set<string>(paging.filterList('status'));
      const enabled = paging.filter('enabled');
      const destination = paging.filter('destination');
      const filter = {
        status: SYNC_STATUSES.filter((status) => asked.has(status)),
        ...(enabled === undefined ? {} : { enabled: enabled === 'true' }),
        ...(destination === undefined
          ? {}
          : { destination: fieldId('destination', destination, 'destination') }),
      };
      const page = await services.syncs.list(caller.accountRecord.id, filter, paging.pageRequest);
      return paging.envelope(page, (sync) =>
        presentSync(sync, services.clock.now(), include.has('latest_run')),
      );
    },
  }),
  operation({
    id: 'create_sync',
    summary: 'Create a sync and, unless run_now is false, queue its first run',
    docs: {
      description:
        'The destination must be active and used by no other sync. `options.data_from` is the first day that is sent. It is clamped to the last 84 months and shown as clamped; without it the sync sends the last 6 months, 3 on trial. Unless `run_now` is false, `latest_run` is the queued first run.',
      sent: {
        type: 'holdings and trades need brokerage accounts.',
        schedule:
          'interval_minutes, or times and timezone. Runs must be as far apart as the service requires, 360 minutes by default. null or absent: as often as it may.',
        mapping_mode: 'bulk: all accounts into one place; per_account: each where its mapping says.',
        account_mappings: 'One for each account: account, and where its rows go.',
        columns:
          'Names of fields, in order, for a destination with columns to choose from; null or absent: the standard columns.',
        run_now: 'Whether the first run is queued at once; true when absent.',
      },
      body: {
        type: 'transactions',
        name: 'Everyday to the ledger',
        destination: exampleId('destination'),
        accounts: [exampleId('account')],
        mapping_mode: 'bulk',
        options: { data_from: '2026-05-02', custom_categories: true },
        schedule: { times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' },
      },
      answer: {
        ...syncExample,
        status: 'running',
        latest_run: queuedRunExample,
        last_synced_at: null,
        updated: EXAMPLE_CREATED,
      },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    body: createSyncBody,
    includes,
    status: 201,
    response: syncSchema,
    errors: [
      'resource_missing',
      'destination_incomplete',
      'destination_disabled',
      'destination_in_use',
      'mapping_required',
      'professional_required',
      'sync_limit_reached',
      'sync_dispatch_failed',
      'sync_create_failed',
      ...TRYING_ERRORS,
    ],
    handle: async ({ body, caller, services, signal }) => {
      syncPermit(caller, services.clock)(body.type);
      const asked = {
        type: body.type,
        name: body.name,
        destination: fieldId('destination', body.destination, 'destination'),
        accounts: accountIds(body.accounts),
        mappingMode: body.mapping_mode,
        accountMappings: mappings(body.account_mappings ?? []),
        columns: body.columns ?? null,
        options: options(body.options ?? {}),
        schedule: body.schedule ?? null,
        metadata: body.metadata ?? null,
        firstRun: body.run_now === false ? null : askedBy(caller),
      };
      const sync = await services.syncs.create(caller.accountRecord, asked, signal);
      return presentSync(sync, services.clock.now(), true);
    },
  }),
  operation({
    id: 'get_sync',
    summary: 'Read a sync',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('sync'),
    includes,
    response: syncSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services, include }) => {
      const sync = await services.syncs.read(caller.accountRecord.id, pathId('sync', params.id));
      return presentSync(sync, services.clock.now(), include.has('latest_run'));
    },
  }),
  operation({
    id: 'update_sync',
    summary: 'Update a sync',
    docs: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      sent: {
        schedule: 'From now on, as in create_sync; null: as often as it may.',
        accounts: 'All of them: those left out are no longer read.',
        columns: 'All of them, in order; the next run writes older rows again. null: the standard columns.',
      },
      body: { enabled: false, options: { include_pending: true } },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('sync'),
    body: updateSyncBody,
    includes,
    response: syncSchema,
    errors: ['resource_missing', 'mapping_required', ...TRYING_ERRORS],
    handle: async ({ params, body, caller, services, include, signal }) => {
      const { accounts, account_mappings, options: changed, ...rest } = body;
      const id = pathId('sync', params.id);
      await permitSyncChange({ caller, services }, id);
      const patch = {
        ...rest,
        ...(accounts === undefined ? {} : { accounts: accountIds(accounts) }),
        ...(account_mappings === undefined ? {} : { accountMappings: mappings(account_mappings) }),
        ...(changed === undefined ? {} : { options: options(changed) }),
      };
      const sync = await services.syncs.update(caller.accountRecord, id, patch, signal);
      return presentSync(sync, services.clock.now(), include.has('latest_run'));
    },
  }),
  operation({
    id: 'delete_sync',
    summary: 'Delete a sync and its run history; the destination stays',
    docs: { description: 'Rulesets and the destination stay, and what was delivered.' },
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'sync.deleted',
    params: idParams('sync'),
    response: deletedSchema('sync', 'sync'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      await services.syncs.delete(caller.accountRecord.id, pathId('sync', params.id));
      return deletedAnswer(params.id, 'sync');
    },
  }),
];

function accountIds(texts: readonly string[]): RowId<'account'>[] {
  return texts.map((text) => fieldId('account', text, 'accounts'));
}

/** A member sent as null is one left out. */
function mappings(entries: NonNullable<Static<typeof createSyncBody>['account_mappings']>): AccountMapping[] {
  return entries.map((entry, index) => {
    const members = MAPPING_MEMBERS.flatMap((name) => {
      const value = entry[name];
      return value == null ? [] : [[name, value] as const];
    });
    const account = fieldId('account', entry.account, `account_mappings[${index}].account`);
    return { ...Object.fromEntries(members), account };
  });
}

function options(given: Static<NonNullable<typeof createSyncBody.properties.options>>): OptionsPatch {
  const { data_from, ...flags } = given;
  if (data_from === undefined) return flags;
  if (!isLocalDate(data_from)) {
    throw invalidParameter('options.data_from', 'options.data_from must be a valid date, YYYY-MM-DD.');
  }
  return { ...flags, data_from };
}

export const syncRulesetOperations: readonly Operation[] = [
  operation({
    id: 'attach_rulesets',
    summary: 'Attach a ruleset to a sync, replacing the previous one; an empty list detaches',
    docs: {
      description: 'What is attached from now on, for the next run; an empty list detaches.',
      body: { rulesets: [exampleId('ruleset')] },
      answer: { ...syncExample, rulesets: [exampleId('ruleset')] },
    },
    method: 'POST',
    path: '/v2/syncs/:id/rulesets',
    scope: 'syncs:write',
    tier: 'mutating',
    params: idParams('sync'),
    body: syncRulesetsBody,
    includes: ['latest_run'],
    response: syncSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services, include }) => {
      const owner = caller.accountRecord.id;
      const id = pathId('sync', params.id);
      const rulesets = body.rulesets.map((text, at) => fieldId('ruleset', text, `rulesets[${at}]`));
      await services.rulesetAttachments.attach(owner, id, rulesets);
      const sync = await services.syncs.read(owner, id);
      return presentSync(sync, services.clock.now(), include.has('latest_run'));
    },
  }),
];
