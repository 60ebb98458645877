import { request } from 'undici';
import { INTEGRATIONS } from '../src/app/integrations.ts';
import { readConfig } from '../src/app/read-config.ts';
import type {
  AuthorizationOutcome,
  DestinationAccess,
  DestinationLinking,
} from '../src/connectors/destinations/destination-contract.ts';
import { MemoryQuotaLog } from '../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../src/features/rate-limits/vendor-quotas.ts';
import type { Sync } from '../src/features/syncs/syncs.ts';
import { AddressGuard } from '../src/platform/address-guard.ts';
import { systemClock } from '../src/platform/clock.ts';
import { boundHeapGrowth } from '../src/platform/heap.ts';
import { IntegrationValues } from '../src/platform/integration-settings.ts';
import { OutgoingAddresses } from '../src/platform/outgoing-addresses.ts';
import { completeConsent } from '../src/surfaces/cli/consent-pages.ts';
import { CATEGORY_MAPPED_TYPES } from '../src/vocabulary/destination-kinds.ts';
import type { DestinationResourceType } from '../src/vocabulary/destinations.ts';
import { DEFAULT_LIMITS } from '../src/vocabulary/limits.ts';
import { linkedDestination, syncTo } from '../test/connectors/destinations/support/linked-world.ts';
import { closeDatabase, World } from '../test/features/sync-engine/support/world.ts';
import { say, settingsOf } from './lib/child.ts';
import { computedRows, FIRST_DAY } from './lib/computed-rows.ts';
import { CountedHttp, type OutgoingCounts } from './lib/counted-http.ts';
import { RunningAhead } from './lib/running-ahead.ts';

// The same settings as those of the service.
boundHeapGrowth();
const settings = settingsOf();
const [type, control] = [String(settings.type), String(settings.control ?? '')];
const RETURN_URL = `${settings.pagesUrl}/linked`;

/**
 * One sync of computed rows to the simulator of a destination, and one with nothing new; reports how many calls each
 * took.
 */
const row = INTEGRATIONS.map((integration) => integration.row).find(({ name }) => name === type);
if (row?.kind !== 'destination') throw new Error(`${type} is no destination.`);
const values = new IntegrationValues(type, {
  ...readConfig({ SANDBOX: 'on' }, INTEGRATIONS).integrations[type]?.texts,
  ...Object.fromEntries(
    Object.entries(Object(settings.settings)).map(([name, text]) => [name, String(text)]),
  ),
});
const { signal } = new AbortController();
const clock = control === '' ? systemClock : new RunningAhead(control);
const http = new CountedHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
const quotas = new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key });
const addresses = new OutgoingAddresses({
  guard: new AddressGuard(['127.0.0.0/8']),
  names: { resolve: async () => [] },
});
const connector = await row.open(values, { http, addresses, clock, limits: DEFAULT_LIMITS, quotas });

const world = await World.open({ connector });
world.source = computedRows(Number(settings.rows));
const account = world.account();
const sync = type === 'webhook' ? await syncToUrl() : await syncToTarget();
await sentSince();

const { status, failure, added } = await world.run(sync, world.engine(world.database.db, systemClock));
const sent = await sentSince();
const idle = await world.run(sync, world.engine(world.database.db, systemClock));
const { reads, writes } = await sentSince();
say({ status, failure, added, ...sent, idle: idle.status, idleCalls: reads + writes });
await world.close();
await closeDatabase();
await http.close();

/** The calls since the last time; for a database, its statements. */
async function sentSince(): Promise<OutgoingCounts> {
  const counts = http.take();
  if (type !== 'postgres') return counts;
  const answer = await (await request(`${control}/statements`)).body.text();
  const count = (name: string): number => Number(new RegExp(`"${name}":(\\d+)`).exec(answer)?.[1]);
  return { ...counts, reads: count('reads'), writes: count('writes') };
}

function syncToUrl(): Promise<Sync> {
  return world.sync([account], { options: { data_from: FIRST_DAY } }, `${settings.url}/`);
}

async function syncToTarget(): Promise<Sync> {
  let grant = await granted();
  const access: DestinationAccess = {
    owner: world.owner.id,
    current: async () => grant,
    renew: async (spent, exchange) => {
      if (grant === spent) grant = await exchange(spent, signal);
      return grant;
    },
  };
  const { target, mappings } = await aimed(access);
  const destination = await linkedDestination(world, connector.type, grant, target);
  return syncTo(world, destination, [account], {
    options: { data_from: FIRST_DAY },
    accountMappings: mappings,
  });
}

/** Connects with the simulator's secret, or signs in there as a person would. */
async function granted(): Promise<string> {
  const { linking, signIn } = connector;
  const outcome =
    linking === undefined
      ? await signIn?.check(world.owner.id, String(settings.secret), signal)
      : await signedIn(linking);
  if (outcome === undefined || !('name' in outcome)) throw new Error(`Connecting ${type} was refused.`);
  return outcome.grant;
}

async function signedIn(linking: DestinationLinking): Promise<AuthorizationOutcome> {
  const attempt = { redirectUri: RETURN_URL, state: 's'.repeat(43), verifier: 'v'.repeat(43) };
  const back = await completeConsent(await linking.begin(attempt, signal), RETURN_URL, {
    customer: undefined,
    signal,
    reachedAt: new Map([[String(settings.pagesUrl), String(settings.url)]]),
  });
  const query = Object.fromEntries([...back.searchParams].filter(([name]) => name !== 'state'));
  return linking.complete({ ...attempt, query }, signal);
}

/** An account of the first budget if the vendor creates none, else a new target. */
async function aimed(access: DestinationAccess) {
  const firstOf = async (resource: DestinationResourceType, parent: string | null): Promise<string> => {
    const query = { type: resource, parent, limit: 1 };
    const [found] = (await connector.resources?.list(access, query, signal)) ?? [];
    if (found === undefined) throw new Error(`${type} has no ${resource}.`);
    return found.id;
  };
  if (CATEGORY_MAPPED_TYPES.includes(connector.type)) {
    const budget = await firstOf('budget', null);
    const own = await firstOf('account', budget);
    return { target: { budget_id: budget }, mappings: [{ account, destination_account: own }] };
  }
  const created = await connector.create?.(
    access,
    {
      key: 'bench',
      again: false,
      name: 'Bench',
      parent: type === 'airtable' ? await firstOf('base', null) : null,
      target: null,
      type: 'transactions',
      mappingMode: 'bulk',
      accounts: [],
    },
    signal,
  );
  if (created === undefined) throw new Error(`${type} makes no target.`);
  return { target: created.target, mappings: [] };
}
