import type { Tributary } from '#client';
import type { ReceivedRows, Simulator } from '../../../sandbox/shared/simulator.ts';
import { completeConsent } from '../../surfaces/cli/consent-pages.ts';
import { CommandFailure } from '../../surfaces/cli/failure.ts';
import type { DestinationConnection } from '../../vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { DestinationResourceType } from '../../vocabulary/destinations.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';
import type { App } from '../build.ts';
import type { Sandbox } from '../sandbox-mode.ts';
import type { WebhookReceiver } from './receiver.ts';

/** Where the demo's sync writes, and what was delivered there. */
export interface DemoTarget {
  /** Its `dest_` id. */
  readonly destination: string;
  /** The body of the sync, apart from the accounts. */
  readonly mappings: Readonly<Record<string, unknown>>;
  arrived(): { readonly rows: number; readonly duplicates: number };
  /** Addresses of the pages on which a person sees the rows. */
  pages(): readonly string[];
}

/** Creates a destination, by how its type connects. */
const WAYS: Readonly<Record<DestinationConnection, (demo: DemoDestination) => Promise<DemoTarget>>> = {
  url: webhookTarget,
  link: (demo) => receivingTarget(demo, () => linkedDestination(demo)),
  secret: (demo) => receivingTarget(demo, (simulator) => secretDestination(demo, simulator)),
  direct: (demo) =>
    receivingTarget(demo, async () => (await demo.v2.destinations.create({ type: demo.type })).id),
};

export interface DemoDestination {
  readonly type: DestinationType;
  readonly v2: Tributary;
  /** Where the simulators are. */
  readonly app: Pick<App, 'sandboxPages'> & { readonly sandbox: Pick<Sandbox, 'simulators'> | null };
  /** Of the service. */
  readonly url: string;
  readonly receiver: WebhookReceiver;
  readonly accounts: readonly string[];
  /** ISO 4217 in lower case, if all accounts share one. */
  readonly currency?: string;
  /** What its sync copies: a new target is made for such rows. */
  readonly holds: SyncType;
  readonly signal: AbortSignal;
}

/** How many rows the demo writes there by default; undefined for all that its customers have. */
export function rowsWorthWaitingFor(type: DestinationType): number | undefined {
  return DESTINATION_KINDS[type].demoRows ?? undefined;
}

/** The step in which a person chooses the target; null if the service creates it. */
function chosenThere(type: DestinationType) {
  const { steps, makes } = DESTINATION_KINDS[type].target;
  return makes === null ? (steps?.outer ?? null) : null;
}

/** Accounts that may share a destination: all, or those of each currency if its target takes only one. */
export async function sharingOne(
  { v2, type }: Pick<DemoDestination, 'v2' | 'type'>,
  accounts: readonly string[],
): Promise<readonly { readonly accounts: readonly string[]; readonly currency?: string }[]> {
  if (chosenThere(type) === null) return [{ accounts }];
  const byCurrency = new Map<string, string[]>();
  for (const id of accounts) {
    const currency = (await v2.accounts.get({ id })).currency;
    byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), id]);
  }
  return [...byCurrency].map(([currency, those]) => ({ accounts: those, currency }));
}

/** Creates the destination as its type requires: over v2, or through a person who signs in at its simulator. */
export function demoTarget(demo: DemoDestination): Promise<DemoTarget> {
  return WAYS[DESTINATION_KINDS[demo.type].connects](demo);
}

async function webhookTarget({ v2, receiver }: DemoDestination): Promise<DemoTarget> {
  const made = await v2.destinations.create({
    type: 'webhook',
    name: 'Demo receiver',
    target: { url: `${receiver.url}/deliveries` },
  });
  if (made.config === null) throw new CommandFailure('The webhook destination has no signing secret.');
  receiver.expect(made.config.signing_secret);
  return {
    destination: made.id,
    mappings: {},
    arrived: () => receiver.counts(),
    pages: () => [],
  };
}

/** @param connect connects the simulator; the id of the destination */
async function receivingTarget(
  demo: DemoDestination,
  connect: (simulator: Simulator) => Promise<string>,
): Promise<DemoTarget> {
  const { type, v2, app, holds } = demo;
  const simulator = app.sandbox?.simulators.get(type);
  const received = simulator?.received;
  if (simulator === undefined || received === undefined)
    throw new CommandFailure(`There is no simulator of ${type} that receives rows.`);
  const destination = await connect(simulator);
  const aim = chosenThere(type);
  const { steps, makes } = DESTINATION_KINDS[type].target;
  const parent = makes?.parent === 'required' ? steps?.outer.kind : undefined;
  let mappings: Readonly<Record<string, unknown>> = {};
  if (aim === null) {
    const within = parent === undefined ? {} : { parent: await firstOf(v2, destination, parent) };
    await v2.destinations.createTarget({
      id: destination,
      name: holds === 'transactions' ? 'Tributary demo' : `Tributary demo ${holds}`,
      type: holds,
      ...within,
    });
  } else {
    const target = { [aim.key]: await fittingBudget(demo, received, destination, aim.kind) };
    await v2.destinations.update({ id: destination, target });
    mappings = { account_mappings: await mappingsOf(demo, destination) };
  }
  return {
    destination,
    mappings,
    arrived: () => {
      const ids = received.rows().map(({ id }) => id);
      const rows = new Set(ids).size;
      return { rows, duplicates: ids.length - rows };
    },
    pages: () => received.pages().map((page) => pageOf(demo, page)),
  };
}

/** Connects it with the secret of its simulator; its id. */
async function secretDestination({ type, v2 }: DemoDestination, { secret }: Simulator): Promise<string> {
  if (secret === undefined) throw new CommandFailure(`The simulator of ${type} has no secret.`);
  return (await v2.destinations.create({ type, secret })).id;
}

/** Links it through the hosted pages; its id. */
async function linkedDestination({ type, v2, receiver, signal }: DemoDestination): Promise<string> {
  const returnUrl = `${receiver.url}/linked`;
  const link = await v2.destinationLinks.create({ type, return_url: returnUrl });
  const end = await completeConsent(link.url, returnUrl, { customer: undefined, signal });
  if (end.searchParams.get('destination_link') !== 'completed')
    throw new CommandFailure(
      `Linking ${type} failed: ${end.searchParams.get('reason') ?? 'no reason given'}.`,
    );
  const { destination } = await v2.destinationLinks.get({ id: link.id });
  if (destination === null) throw new CommandFailure(`Linking ${type} made no destination.`);
  return destination;
}

async function idsOf(v2: Tributary, destination: string, type: DestinationResourceType): Promise<string[]> {
  const resources = await v2.destinations.listResources({ id: destination, type }).all();
  const ids = resources.map(({ id }) => id);
  if (ids.length === 0) throw new CommandFailure(`The destination has no ${type} to choose from.`);
  return ids;
}

async function firstOf(v2: Tributary, destination: string, type: DestinationResourceType): Promise<string> {
  return (await idsOf(v2, destination, type))[0] ?? '';
}

/** The first budget that takes rows of the demo's currency. */
async function fittingBudget(
  { v2, currency, type }: DemoDestination,
  received: ReceivedRows,
  destination: string,
  resource: DestinationResourceType,
): Promise<string> {
  const budgets = await idsOf(v2, destination, resource);
  const takes = received.currencies?.();
  const fitting = budgets.find((id) => [currency, null].includes(takes?.get(id) ?? null));
  if (fitting === undefined) throw new CommandFailure(`${type} has no ${resource} in ${currency}.`);
  return fitting;
}

/** Maps each bank account to one of the destination's accounts, in turn. */
async function mappingsOf({ v2, accounts }: DemoDestination, destination: string) {
  const own = await idsOf(v2, destination, 'account');
  return accounts.map((account, at) => ({ account, destination_account: own[at % own.length] }));
}

function pageOf({ app, url, type }: DemoDestination, page: string): string {
  const simulatorUrl = app.sandbox?.simulators.get(type)?.url;
  const path = app.sandboxPages.find((pages) => pages.simulatorUrl === simulatorUrl)?.path ?? '';
  return `${url}${path}${page}`;
}
