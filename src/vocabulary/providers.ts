/** The data providers of SPEC and what their rows are called. */
export const PROVIDERS = {
  au_banking: {
    tag: 'fk',
    category: 'banking',
    country: 'AU',
    timezone: 'Australia/Sydney',
    currency: 'aud',
  },
  nz_banking: {
    tag: 'ak',
    category: 'banking',
    country: 'NZ',
    timezone: 'Pacific/Auckland',
    currency: 'nzd',
  },
  brokerage: {
    tag: 'st',
    category: 'brokerage',
    country: null,
    timezone: 'America/New_York',
    currency: 'usd',
  },
} as const;

export type ProviderIdentifier = keyof typeof PROVIDERS;
export type ProviderCategory = (typeof PROVIDERS)[ProviderIdentifier]['category'];

export const PROVIDER_IDENTIFIERS = [
  'au_banking',
  'nz_banking',
  'brokerage',
] as const satisfies readonly ProviderIdentifier[];

export function isProviderIdentifier(text: string): text is ProviderIdentifier {
  return Object.hasOwn(PROVIDERS, text);
}

/** What a provider can be asked for. A read the provider lacks ends as `not_supported` before any call. */
export const CAPABILITIES = [
  'institutions',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'live_balance',
  'details',
  'transactions',
  'pending_transactions',
  'holdings',
  'trades',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Families of provider-issued ids (SPEC, v2 conventions): `txn_<tag>_<id>` and so on. */
export const PROVIDER_ROW_PREFIXES = {
  transaction: 'txn',
  holding: 'hold',
  trade: 'trd',
  institution: 'inst',
} as const;
export type ProviderRow = keyof typeof PROVIDER_ROW_PREFIXES;

/** The v2 id of a row the provider issued, for example `txn_fk_bank_tx_…`. */
export function providerRowId(row: ProviderRow, provider: ProviderIdentifier, upstreamId: string): string {
  return `${PROVIDER_ROW_PREFIXES[row]}_${PROVIDERS[provider].tag}_${upstreamId}`;
}

const TAGS = new Map(PROVIDER_IDENTIFIERS.map((provider) => [PROVIDERS[provider].tag as string, provider]));
const ROW_ID = /^([a-z]+)_([a-z]{2})_([A-Za-z0-9._:~-]{1,200})$/;

/** Provider and upstream id behind a tagged id, or null when it is not one of `row`. Never raises. */
export function parseProviderRowId(
  row: ProviderRow,
  text: string,
): { provider: ProviderIdentifier; upstreamId: string } | null {
  const [, prefix, tag, upstreamId] = ROW_ID.exec(text) ?? [];
  if (prefix !== PROVIDER_ROW_PREFIXES[row] || tag === undefined || upstreamId === undefined) return null;
  const provider = TAGS.get(tag);
  return provider === undefined ? null : { provider, upstreamId };
}
