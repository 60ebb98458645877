import { createHash, createHmac } from 'node:crypto';
import type {
  LinkedGrant,
  Provider,
  ProviderAccess,
  ProviderConsent,
} from '../../../../src/connectors/providers/provider-contract.ts';
import type { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { Trade } from '../../../../src/vocabulary/holdings.ts';
import { localDate } from '../../../../src/vocabulary/moments.ts';
import { exactMoney, moneyFromDecimal } from '../../../../src/vocabulary/money.ts';
import { type ProviderIdentifier, providerRowId } from '../../../../src/vocabulary/provider-kinds.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import type { Login, VendorAccount, VendorRow } from './vendor.ts';
import { readKeys, type Sent, Wire, writeKeys } from './wire.ts';

/** Kereru behind our contract: with customers of its own (`broker`), or known only by who signs in (`bank`). */
export function kereru(as: 'bank' | 'broker', origin: string, http: OutgoingHttp): Provider {
  const wire = new Wire(http, origin);
  const identifier: ProviderIdentifier = as === 'bank' ? 'nz_banking' : 'brokerage';
  const kept = ({ consent, institution }: ProviderAccess) => ({ consent, institution });
  const path = (resource: string, access: ProviderAccess, query: Record<string, string> = {}) =>
    `/${resource}?${new URLSearchParams({ consent: kept(access).consent, ...query })}`;

  async function* pages<Row>(
    access: ProviderAccess,
    account: string,
    map: (row: VendorRow) => Row,
    signal: AbortSignal,
  ): AsyncGenerator<Row[]> {
    for (let cursor: number | null = 0; cursor !== null; ) {
      const query: Record<string, string> = { account, cursor: String(cursor) };
      const sent: Sent = await wire.of(access, 'GET', path('rows', access, query), signal);
      yield sent.items.map(map);
      cursor = sent.next;
    }
  }

  const shared: Provider = {
    identifier,
    capabilities: new Set(['link', 'reauthorize', 'consents', 'withdraw', 'accounts', 'refresh', 'webhooks']),
    redeemsOnce: true,
    deleteCustomer: async (key, customer, signal) => {
      const { refresh } = readKeys(customer?.secret.value ?? null);
      if (refresh !== null) await wire.own('POST', '/revoke', { refresh }, signal);
      if (as === 'broker') await wire.own('DELETE', `/customers/${key}`, {}, signal);
    },
    beginLink: async ({ redirectUri, state, verifier }) => {
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const query = new URLSearchParams({ redirect_uri: redirectUri, state, challenge });
      return { url: `${origin}/authorize?${query}`, memo: '', expiresAt: null };
    },
    completeLink: async ({ redirectUri, verifier, query, customer, secret }, signal) => {
      if (query.error !== undefined) return { kind: 'failed', reason: 'consent_denied' };
      const sent = { code: query.code, verifier, redirect_uri: redirectUri };
      const { person, access, refresh, logins } = await wire.own('POST', '/token', sent, signal);
      const [first, ...rest]: LinkedGrant[] = logins.map(grantedBy);
      if (first === undefined) return { kind: 'failed', reason: 'not_eligible' };
      const { user } = readKeys(secret.value);
      const id = as === 'bank' ? person : customer;
      return {
        kind: 'linked',
        customer: { id, secret: writeKeys({ user, access, refresh }) },
        grants: [first, ...rest],
      };
    },
    readConsent: async (access, signal) =>
      consentOf(await wire.of(access, 'GET', `/consents/${access.consent}`, signal)),
    requestRefresh: async (access, signal) => {
      await wire.of(access, 'POST', `/refresh/${access.consent}`, signal);
    },
    receiveWebhook: async ({ body, headers }) => {
      if (headers['x-kereru-signature'] !== signatureOf(body)) return null;
      return JSON.parse(Buffer.from(body).toString('utf8'));
    },
    withdraw: async (access, signal) => {
      await wire.of(access, 'DELETE', `/consents/${access.consent}`, signal);
    },
    listAccounts: async (access, signal) => {
      const { items } = await wire.of(access, 'GET', path('accounts', access), signal);
      return items.map((account: VendorAccount) => ({
        id: account.id,
        formerIds: account.formerIds,
        available: account.open,
        name: 'Everyday',
        type: as === 'bank' ? 'transaction' : 'investment',
        maskedNumber: null,
        fullNumber: null,
        currency: as === 'bank' ? 'nzd' : 'usd',
      }));
    },
  };
  if (as === 'bank') {
    return {
      ...shared,
      capabilities: new Set([...shared.capabilities, 'transactions']),
      transactionPages: (access, { account }, signal) => pages(access, account, transactionOf, signal),
    };
  }
  return {
    ...shared,
    capabilities: new Set([...shared.capabilities, 'customers', 'trades']),
    createCustomer: async (key, signal) => {
      const { id, secret } = await wire.own('POST', '/customers', { key }, signal);
      return { id, secret: writeKeys({ user: secret, access: null, refresh: null }) };
    },
    tradePages: (access, { account }, signal) => pages(access, account, tradeOf, signal),
  };
}

/** Over the bytes as they are sent, under a key that both sides hold. */
export function signatureOf(body: Uint8Array): string {
  return createHmac('sha256', 'kereru').update(body).digest('hex');
}

function grantedBy(login: Login): LinkedGrant {
  return {
    grant: { consent: login.consent, institution: login.bank },
    consent: consentOf(login),
    institution: { id: login.bank, name: `Bank ${login.bank}`, logo: null },
  };
}

function consentOf({ consent: id, state }: Login): ProviderConsent {
  if (id === undefined) throw new UpstreamFailure('malformed', 'It sent no consent.');
  return {
    id,
    state,
    grantedAt: Date.parse('2026-11-01T00:00:00Z'),
    expiresAt: null,
    purpose: null,
    dataCategories: ['transactions'],
    terminationReason: null,
  };
}

function transactionOf({ id, formerIds, day, amount }: VendorRow): Transaction {
  const idOf = (upstream: string) => providerRowId('transaction', 'nz_banking', upstream);
  return {
    id: idOf(id),
    ...(formerIds.length > 0 ? { former_ids: formerIds.map(idOf) } : {}),
    status: 'posted',
    date: localDate(day),
    datetime: null,
    post_date: localDate(day),
    post_datetime: null,
    value_date: null,
    value_datetime: null,
    description: 'Coffee',
    reference: null,
    extended_description: null,
    amount: moneyFromDecimal(amount, 'nzd'),
    amount_decimal: amount,
    direction: 'debit',
    class: 'payment',
    provider_category: null,
    primary_category: null,
    merchant_name: null,
    merchant_category_code: null,
  };
}

function tradeOf({ id, day, amount }: VendorRow): Trade {
  return {
    id: providerRowId('trade', 'brokerage', id),
    symbol: 'VTI',
    name: null,
    type: 'buy',
    quantity: '0.5',
    price: exactMoney('33.1234', 'usd'),
    currency: 'usd',
    total_amount: exactMoney(amount, 'usd'),
    fees: null,
    trade_date: localDate(day),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}
