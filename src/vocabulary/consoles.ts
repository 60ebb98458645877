import type { ConsolePage } from './console-page.ts';
import {
  DESTINATION_KINDS,
  DESTINATION_TYPES,
  type DestinationType,
  isDestinationType,
} from './destination-kinds.ts';
import {
  isProviderIdentifier,
  PROVIDER_IDENTIFIERS,
  PROVIDERS,
  type ProviderIdentifier,
} from './provider-kinds.ts';

/** The pages of docs/consoles/ about vendors, providers first. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  ...PROVIDER_IDENTIFIERS.map((provider) => PROVIDERS[provider].console),
  ...DESTINATION_TYPES.map((type) => DESTINATION_KINDS[type].console),
].filter((page) => page !== null);

/**
 * Where the setup of an integration at its vendor is described, as a path of the repository.
 *
 * @param integration a provider's identifier or a type of destination
 * @return null for any other name, and for an integration without a vendor
 */
export function consoleFile(integration: string): string | null {
  const kind = isProviderIdentifier(integration)
    ? PROVIDERS[integration]
    : isDestinationType(integration)
      ? DESTINATION_KINDS[integration]
      : null;
  const found = kind === null ? null : kind.console;
  return found === null ? null : `docs/${found.page}.md`;
}

/** For a caller who asks for a type of destination that the operator has not set up. */
export function typeNotSetUp(type: DestinationType): string {
  return `Destinations of type ${type} are not set up on this service.${howToSetUp(type)}`;
}

/** The same for a provider. */
export function providerNotSetUp(provider: ProviderIdentifier): string {
  return `The provider ${provider} is not set up on this service.${howToSetUp(provider)}`;
}

function howToSetUp(integration: string): string {
  const file = consoleFile(integration);
  return file === null ? '' : ` How the operator does that: ${file}.`;
}
