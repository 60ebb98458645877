import type { SimulatedPerson } from '../../../sandbox/shared/simulator.ts';
import { CommandFailure } from '../../surfaces/cli/failure.ts';
import { linkableProviders } from '../../surfaces/cli/simulated-integrations.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { App } from '../build.ts';
import { type Integration, providersOf } from '../integrations.ts';
import { type PreparedSandbox, prepareSimulators } from '../sandbox-mode.ts';

/** The customers the demo links, and their provider. */
export interface DemoCustomer extends SimulatedPerson {
  readonly provider: ProviderIdentifier;
}

/** What the demo runs on: loaded simulators, with customers at each. */
export interface DemoPeople {
  readonly sandbox: PreparedSandbox;
  readonly customers: readonly DemoCustomer[];
}

/**
 * All customers of a data file, one customer of N rows, or the first customer of each provider: the one named, or
 * all that read bank accounts.
 * @throws CommandFailure when the file is not a bank data file, and for a provider that has no simulator
 */
export async function demoPeople(
  integrations: readonly Integration[],
  options: {
    readonly data: string | undefined;
    readonly rows: number | undefined;
    readonly provider?: string | undefined;
  },
): Promise<DemoPeople> {
  const { data, rows, provider } = options;
  const simulated = linkableProviders(integrations);
  if (provider !== undefined && !simulated.includes(provider))
    throw new CommandFailure(
      `There is no provider "${provider}". The providers are ${simulated.join(', ')}.`,
    );
  const sandbox = await prepared(integrations, data);
  const found = integrations.flatMap(({ row }) => {
    if (row.kind !== 'provider') return [];
    const shown = provider === undefined ? PROVIDERS[row.name].category === 'banking' : row.name === provider;
    if (!shown) return [];
    const people = sandbox.get(row.name)?.demoPeople(rows ?? null) ?? [];
    return people.map((person) => ({ ...person, provider: row.name }));
  });
  if (found.length === 0)
    throw new CommandFailure(`${data ?? 'The sandbox'} contains no customer with an account.`);
  // The requested rows are generated once, not once for each provider that can generate them.
  return { sandbox, customers: rows === undefined ? found : found.slice(0, 1) };
}

/** Accounts and rows of everything the customers agreed to share, at all providers. */
export function sharedByPeople({ sandbox, placed }: App): {
  readonly accounts: number;
  readonly rows: number;
} {
  const shared = providersOf(placed).flatMap(
    ({ row }) => sandbox?.simulators.get(row.name)?.people?.shared() ?? [],
  );
  return {
    accounts: shared.reduce((sum, { accounts }) => sum + accounts, 0),
    rows: shared.reduce((sum, { rows }) => sum + rows, 0),
  };
}

async function prepared(
  integrations: readonly Integration[],
  data: string | undefined,
): Promise<PreparedSandbox> {
  try {
    return await prepareSimulators(integrations, data ?? null);
  } catch (error) {
    if (data === undefined) throw error;
    throw new CommandFailure(error instanceof Error ? error.message : data, { cause: error });
  }
}
