import type { ReachedSimulator, SimulatorParty } from '../../sandbox/shared/simulator.ts';

import type { DestinationParty } from '../connectors/destinations/destination-party.ts';
import type { ProviderParty } from '../connectors/providers/provider-party.ts';
import type { Config } from '../platform/config.ts';
import { type PartyConfig, PartyValues } from '../platform/party-settings.ts';

/** An outside party: who it is, and what stands in for it in the sandbox, if anything does. */
export interface Party {
  readonly row: ProviderParty | DestinationParty;
  readonly simulator: SimulatorParty | null;
}

/** A party that is set up: at the vendor with the operator's settings, or at its simulator. */
export interface PlacedParty<Row extends Party['row'] = Party['row']> {
  readonly row: Row;
  readonly at: 'vendor' | 'simulator';
  readonly values: PartyValues;
}

/** Whether the vendor itself is used: its credentials are set, or it needs none. */
export function isReal({ row }: Party, config: Config): boolean {
  return configOf(row, config).complete;
}

/**
 * Whether a simulator stands in for it where the sandbox is on. A destination's shows the rows it received to everybody
 * who has the address, so none runs where a bank is real.
 */
export function isSimulated(party: Party, parties: readonly Party[], config: Config): boolean {
  if (party.simulator === null) return false;
  if (isReal(party, config) && party.simulator.beside !== true) return false;
  if (party.row.kind === 'provider') return true;
  return !parties.some((other) => other.row.kind === 'provider' && isReal(other, config));
}

/** Every party that is set up. One without credentials is at its simulator where that runs, and nowhere else. */
export function placeParties(
  parties: readonly Party[],
  config: Config,
  simulators: ReadonlyMap<string, ReachedSimulator>,
): readonly PlacedParty[] {
  return parties.flatMap((party): PlacedParty[] => {
    const { row } = party;
    const { texts } = configOf(row, config);
    const simulator = simulators.get(row.name);
    if (isReal(party, config)) {
      // A simulator beside it adds what the operator did not set, such as its address.
      return [{ row, at: 'vendor', values: new PartyValues(row.name, { ...simulator?.settings, ...texts }) }];
    }
    if (simulator === undefined) return [];
    const values = new PartyValues(row.name, { ...texts, ...simulator.settings });
    return [{ row, at: 'simulator', values }];
  });
}

function configOf({ name }: Party['row'], { parties }: Config): PartyConfig {
  const found = Object.hasOwn(parties, name) ? parties[name] : undefined;
  if (found === undefined) throw new Error(`The configuration was read without ${name}.`);
  return found;
}

/** The providers among them. */
export function providersOf(parties: readonly PlacedParty[]): readonly PlacedParty<ProviderParty>[] {
  return parties.flatMap(({ row, ...rest }) => (row.kind === 'provider' ? [{ row, ...rest }] : []));
}

/** The destinations among them. */
export function destinationsOf(parties: readonly PlacedParty[]): readonly PlacedParty<DestinationParty>[] {
  return parties.flatMap(({ row, ...rest }) => (row.kind === 'destination' ? [{ row, ...rest }] : []));
}

/** Origins at which the parties are reached: the operator chose them, so the address guard is not asked. */
export function trustedOrigins(parties: readonly PlacedParty[]): readonly string[] {
  return parties.flatMap(({ row, values }) =>
    row.variables
      .filter(({ role }) => role === 'address')
      .flatMap((variable) => values.find(variable) ?? [])
      .map((text) => new URL(String(text)).origin),
  );
}
