import { AU_BANKING } from './provider-kinds/au-banking.ts';
import { BROKERAGE } from './provider-kinds/brokerage.ts';
import { ENABLE_BANKING } from './provider-kinds/enable-banking.ts';
import type { ProviderKind } from './provider-kinds/kind.ts';
import { NZ_BANKING } from './provider-kinds/nz-banking.ts';
import { SIMPLEFIN } from './provider-kinds/simplefin.ts';
import { STATEMENT_FILES } from './provider-kinds/statement-files.ts';
import { UP_BANK } from './provider-kinds/up-bank.ts';

/**
 * The data providers, and how they differ. All code uses this table instead of comparing with an identifier, so that a
 * new provider is a row here.
 */
export const PROVIDERS = {
  au_banking: AU_BANKING,
  nz_banking: NZ_BANKING,
  brokerage: BROKERAGE,
  up_bank: UP_BANK,
  simplefin: SIMPLEFIN,
  enable_banking: ENABLE_BANKING,
  statement_files: STATEMENT_FILES,
} as const satisfies Readonly<Record<string, ProviderKind>>;

export type ProviderIdentifier = keyof typeof PROVIDERS;
/** As v1 and v2 show them. */
export const PROVIDER_CATEGORIES = [
  'banking',
  'brokerage',
  'documents',
] as const satisfies readonly ProviderKind['category'][];
export type ProviderCategory = (typeof PROVIDER_CATEGORIES)[number];
/** Those whose accounts have transactions; balances and details exist in `banking` only. */
export const WITH_TRANSACTIONS: readonly ProviderCategory[] = ['banking', 'documents'];

/** Those that are linked by a link session. */
export type LinkedProvider = {
  [P in ProviderIdentifier]: (typeof PROVIDERS)[P]['category'] extends 'documents' ? never : P;
}[ProviderIdentifier];

export const PROVIDER_IDENTIFIERS = [
  'au_banking',
  'nz_banking',
  'brokerage',
  'up_bank',
  'simplefin',
  'enable_banking',
  'statement_files',
] as const satisfies readonly ProviderIdentifier[];

export function isLinkedProvider(provider: ProviderIdentifier): provider is LinkedProvider {
  return PROVIDERS[provider].category !== 'documents';
}

export const LINKED_PROVIDERS: readonly LinkedProvider[] = PROVIDER_IDENTIFIERS.filter(isLinkedProvider);

export function isProviderIdentifier(text: string): text is ProviderIdentifier {
  return Object.hasOwn(PROVIDERS, text);
}

/** What a provider supports. A read that it lacks fails with `not_supported` before any call. */
export const CAPABILITIES = [
  'institutions',
  'customers',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'live_balance',
  'details',
  'transactions',
  'history_state',
  'pending_transactions',
  'refresh',
  'webhooks',
  'holdings',
  'trades',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Families of provider-issued ids (docs/api-conventions.md#identifiers): `txn_<tag>_<id>` and so on. */
export const PROVIDER_ROW_PREFIXES = {
  transaction: 'txn',
  holding: 'hold',
  trade: 'trd',
  institution: 'inst',
} as const;
export type ProviderRow = keyof typeof PROVIDER_ROW_PREFIXES;

/** JSON Schema patterns for the ids of each family. */
export const PROVIDER_ID_PATTERNS: Readonly<Record<ProviderRow, string>> = {
  transaction: idPattern('transaction'),
  holding: idPattern('holding'),
  trade: idPattern('trade'),
  institution: idPattern('institution'),
};

/** The pattern of any row that a sync delivers. */
export const ROW_ID_PATTERN = `${idPattern('transaction')}|${idPattern('holding')}|${idPattern('trade')}`;

function idPattern(row: ProviderRow): string {
  return `^${PROVIDER_ROW_PREFIXES[row]}_[a-z]{2}_[A-Za-z0-9._:~-]+$`;
}

/** Characters of an upstream id that are kept; any other byte is `~` and two hexadecimal digits. */
const PLAIN_ID = /^[A-Za-z0-9._:-]+$/;

/**
 * The v2 id of a row the provider issued, for example `txn_fk_bank_tx_…`. Vendors promise nothing about the characters
 * of their ids, and ours are used in paths, so other characters are escaped.
 */
export function providerRowId(row: ProviderRow, provider: ProviderIdentifier, upstreamId: string): string {
  return `${PROVIDER_ROW_PREFIXES[row]}_${PROVIDERS[provider].tag}_${PLAIN_ID.test(upstreamId) ? upstreamId : escaped(upstreamId)}`;
}

const TAGS = new Map<string, ProviderIdentifier>(
  PROVIDER_IDENTIFIERS.map((provider) => [PROVIDERS[provider].tag, provider]),
);
const FAMILY_AND_TAG = /^[a-z]+_[a-z]{2}_/;
const ROW_ID = /^([a-z]+)_([a-z]{2})_((?:[A-Za-z0-9._:-]|~[0-9a-f]{2}){1,256})$/;

/** Provider and upstream id behind a tagged id, or null when it is not one of `row`. Never raises. */
export function parseProviderRowId(
  row: ProviderRow,
  text: string,
): { provider: ProviderIdentifier; upstreamId: string } | null {
  const [, prefix, tag, written] = ROW_ID.exec(text) ?? [];
  if (prefix !== PROVIDER_ROW_PREFIXES[row] || tag === undefined || written === undefined) return null;
  const provider = TAGS.get(tag);
  const upstreamId = written.includes('~') ? unescaped(written) : written;
  return provider === undefined || upstreamId === null ? null : { provider, upstreamId };
}

/** The vendor's own id, without the family and the tag that v2 adds in front. */
export function untaggedRowId(id: string): string {
  const written = id.replace(FAMILY_AND_TAG, '');
  return written.includes('~') ? (unescaped(written) ?? written) : written;
}

function escaped(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN_ID.test(character) ? character : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

/** Null if the text is not what `escaped` writes, so that a row never has two ids. */
function unescaped(written: string): string | null {
  const bytes = written.replace(/~([0-9a-f]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
  );
  return escaped(text) === written ? text : null;
}
