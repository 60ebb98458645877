import { ACTUAL_SIMULATOR } from '../../sandbox/actual/integration.ts';
import { AIRTABLE_SIMULATOR } from '../../sandbox/airtable/integration.ts';
import { AU_BANKING_SIMULATOR } from '../../sandbox/au-banking/integration.ts';
import { BROKERAGE_SIMULATOR } from '../../sandbox/brokerage/integration.ts';
import { CSV_FOLDER_SIMULATOR } from '../../sandbox/csv-folder/integration.ts';
import { ENABLE_BANKING_SIMULATOR } from '../../sandbox/enable-banking/integration.ts';
import { NOTION_SIMULATOR } from '../../sandbox/notion/integration.ts';
import { NZ_BANKING_SIMULATOR } from '../../sandbox/nz-banking/integration.ts';
import { POSTGRES_SIMULATOR } from '../../sandbox/postgres/integration.ts';
import type { ReachedSimulator, SimulatorIntegration } from '../../sandbox/shared/simulator.ts';
import { SHEETS_SIMULATOR } from '../../sandbox/sheets/integration.ts';
import { SIMPLEFIN_SIMULATOR } from '../../sandbox/simplefin/integration.ts';
import { UP_BANK_SIMULATOR } from '../../sandbox/up-bank/integration.ts';
import { YNAB_SIMULATOR } from '../../sandbox/ynab/integration.ts';
import { ACTUAL } from '../connectors/destinations/actual/integration.ts';
import { AIRTABLE } from '../connectors/destinations/airtable/integration.ts';
import { CSV_FOLDER } from '../connectors/destinations/csv-folder/integration.ts';
import type { DestinationIntegration } from '../connectors/destinations/destination-integration.ts';
import { NOTION } from '../connectors/destinations/notion/integration.ts';
import { POSTGRES } from '../connectors/destinations/postgres/integration.ts';
import { SHEETS } from '../connectors/destinations/sheets/integration.ts';
import { WEBHOOK } from '../connectors/destinations/webhook/integration.ts';
import { YNAB } from '../connectors/destinations/ynab/integration.ts';
import { AU_BANKING } from '../connectors/providers/au-banking/integration.ts';
import { BROKERAGE } from '../connectors/providers/brokerage/integration.ts';
import { ENABLE_BANKING } from '../connectors/providers/enable-banking/integration.ts';
import { NZ_BANKING } from '../connectors/providers/nz-banking/integration.ts';
import type { ProviderIntegration } from '../connectors/providers/provider-integration.ts';
import { SIMPLEFIN } from '../connectors/providers/simplefin/integration.ts';
import { UP_BANK } from '../connectors/providers/up-bank/integration.ts';
import type { Config } from '../platform/config.ts';
import { type IntegrationConfig, IntegrationValues } from '../platform/integration-settings.ts';
import { DESTINATION_KINDS, type DestinationType } from '../vocabulary/destination-kinds.ts';

/** An integration: its row, and its simulator if the sandbox has one. */
export interface Integration {
  readonly row: ProviderIntegration | DestinationIntegration;
  readonly simulator: SimulatorIntegration | null;
}

/**
 * Every integration: providers data is read from, and destinations it is copied to. Configuration, `doctor`, `link`,
 * `demo`, the sandbox and the service itself read this table, so adding one is its folder, its kind in the vocabulary,
 * and a line here.
 */
export const INTEGRATIONS: readonly Integration[] = [
  { row: AU_BANKING, simulator: AU_BANKING_SIMULATOR },
  { row: NZ_BANKING, simulator: NZ_BANKING_SIMULATOR },
  { row: BROKERAGE, simulator: BROKERAGE_SIMULATOR },
  { row: UP_BANK, simulator: UP_BANK_SIMULATOR },
  { row: SIMPLEFIN, simulator: SIMPLEFIN_SIMULATOR },
  { row: ENABLE_BANKING, simulator: ENABLE_BANKING_SIMULATOR },
  { row: SHEETS, simulator: SHEETS_SIMULATOR },
  { row: NOTION, simulator: NOTION_SIMULATOR },
  { row: AIRTABLE, simulator: AIRTABLE_SIMULATOR },
  { row: YNAB, simulator: YNAB_SIMULATOR },
  { row: ACTUAL, simulator: ACTUAL_SIMULATOR },
  { row: WEBHOOK, simulator: null },
  { row: POSTGRES, simulator: POSTGRES_SIMULATOR },
  { row: CSV_FOLDER, simulator: CSV_FOLDER_SIMULATOR },
];

/** A configured integration: at the vendor with the operator's settings, or at its simulator. */
export interface PlacedIntegration<Row extends Integration['row'] = Integration['row']> {
  readonly row: Row;
  readonly at: 'vendor' | 'simulator';
  readonly values: IntegrationValues;
}

/**
 * Whether the vendor itself is used: its credentials are configured, or it needs none. A provider that needs none is
 * simulated in the sandbox nevertheless: otherwise the sandbox would contain a real bank, and hide nothing from anyone
 * (docs/decisions/0040-simplefin-source.md).
 */
export function isReal({ row, simulator }: Integration, config: Config): boolean {
  if (!configOf(row, config).complete) return false;
  const needsNothing = !row.variables.some(({ role }) => role === 'credential');
  return row.kind !== 'provider' || !needsNothing || simulator === null || !config.sandbox;
}

/**
 * Whether a simulator replaces it if the sandbox is on. A destination's simulator shows the rows it received to
 * everyone who has the address, so none runs if any bank is real.
 */
export function isSimulated(
  integration: Integration,
  integrations: readonly Integration[],
  config: Config,
): boolean {
  if (integration.simulator === null) return false;
  if (isReal(integration, config) && integration.simulator.beside !== true) return false;
  if (integration.row.kind === 'provider') return true;
  return !integrations.some((other) => other.row.kind === 'provider' && isReal(other, config));
}

/**
 * Every configured integration. One without credentials uses its simulator if that is running, and is otherwise left
 * out.
 */
export function placeIntegrations(
  integrations: readonly Integration[],
  config: Config,
  simulators: ReadonlyMap<string, ReachedSimulator>,
): readonly PlacedIntegration[] {
  return integrations.flatMap((integration): PlacedIntegration[] => {
    const { row } = integration;
    const { texts } = configOf(row, config);
    const simulator = simulators.get(row.name);
    if (isReal(integration, config)) {
      // A running simulator provides what the operator did not set, such as its address.
      return [
        { row, at: 'vendor', values: new IntegrationValues(row.name, { ...simulator?.settings, ...texts }) },
      ];
    }
    if (simulator === undefined) return [];
    const values = new IntegrationValues(row.name, { ...texts, ...simulator.settings });
    return [{ row, at: 'simulator', values }];
  });
}

function configOf({ name }: Integration['row'], { integrations }: Config): IntegrationConfig {
  const found = Object.hasOwn(integrations, name) ? integrations[name] : undefined;
  if (found === undefined) throw new Error(`The configuration was read without ${name}.`);
  return found;
}

/** The providers among them. */
export function providersOf(
  integrations: readonly PlacedIntegration[],
): readonly PlacedIntegration<ProviderIntegration>[] {
  return integrations.flatMap(({ row, ...rest }) => (row.kind === 'provider' ? [{ row, ...rest }] : []));
}

/** The destinations among them. */
export function destinationsOf(
  integrations: readonly PlacedIntegration[],
): readonly PlacedIntegration<DestinationIntegration>[] {
  return integrations.flatMap(({ row, ...rest }) => (row.kind === 'destination' ? [{ row, ...rest }] : []));
}

/** Origins of the integrations. The operator chose them, so the address guard does not apply. */
export function trustedOrigins(integrations: readonly PlacedIntegration[]): readonly string[] {
  return integrations.flatMap(({ row, values }) =>
    row.variables
      .filter(({ role }) => role === 'address')
      .flatMap((variable) => values.find(variable) ?? [])
      .map((text) => new URL(String(text)).origin),
  );
}

/** Types of destination that need nothing from their owner but that the operator has not configured. */
export function notOffered(
  integrations: readonly Integration[],
  placed: readonly PlacedIntegration[],
): readonly DestinationType[] {
  return integrations.flatMap(({ row }) => {
    if (row.kind !== 'destination' || DESTINATION_KINDS[row.name].connects !== 'direct') return [];
    return placed.some((one) => one.row.name === row.name) ? [] : [row.name];
  });
}
