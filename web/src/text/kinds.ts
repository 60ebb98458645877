import type { DestinationKind } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { ProviderKind } from '../../../src/vocabulary/provider-kinds/kind.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import { type Translation, translated } from './translated.ts';

type DestinationTexts = DestinationKind['texts'];
type ProviderTexts = Translation<ProviderKind['texts']>;

/** What is translated of a type of destination: what the application shows. */
export type DestinationWords = Pick<
  DestinationTexts,
  'name' | 'target' | 'for' | 'needs' | 'sends' | 'asks' | 'stays' | 'ends' | 'makes' | 'balances'
>;

/** In English they are part of the tables of kinds, so there is nothing here. */
const DESTINATION_WORDS = translated<Readonly<Partial<Record<DestinationType, DestinationWords>>>>(
  'DESTINATION_WORDS',
  {},
);
const PROVIDER_WORDS = translated<Readonly<Partial<Record<ProviderIdentifier, ProviderTexts>>>>(
  'PROVIDER_WORDS',
  {},
);

/** What people read about a type of destination, in the language of the page. */
export function destinationTexts(type: DestinationType): DestinationTexts {
  return { ...DESTINATION_KINDS[type].texts, ...DESTINATION_WORDS[type] };
}

/** What people read about a provider, in the language of the page. */
export function providerTexts(provider: ProviderIdentifier): ProviderTexts {
  return { ...PROVIDERS[provider].texts, ...PROVIDER_WORDS[provider] };
}
