import { type Static, Type } from 'typebox';
import type { SignedBalance } from '../../../features/provider-gateway/balance-sign.ts';
import type { CachedRead } from '../../../features/provider-gateway/gateway-types.ts';
import type { ListedBalance } from '../../../features/reads/balance-reads.ts';
import { BALANCE_SIGNS } from '../../../vocabulary/balance-signs.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { formatInstant } from '../../../vocabulary/moments.ts';
import { BALANCE_FIELDS, SET_ASIDE_REASONS } from '../../../vocabulary/set-aside-rows.ts';
import { type Operation, operation } from '../../operation.ts';
import { listOf, wholeList } from '../../paging.ts';
import { ACCOUNT_READ_ERRORS } from '../../read-errors.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { aud, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { limited } from '../schema/bounds.ts';
import {
  currency,
  fieldId,
  idOf,
  idParams,
  livemode,
  moneySchema,
  nullable,
  oneOf,
  pathId,
  repeated,
  resource,
  timestamp,
} from '../schema/conventions.ts';

export const FRESHNESS = ['fresh', 'stale', 'unavailable'] as const;

/** docs/resources.md#balance. */
export const balanceSchema = resource('balance', {
  object: Type.Literal('balance'),
  account: idOf('account'),
  current: nullable(moneySchema),
  available: nullable(moneySchema),
  currency: nullable(currency),
  observed_at: nullable(timestamp),
  freshness: nullable(oneOf(FRESHNESS)),
  retry_after_seconds: nullable(Type.Integer({ minimum: 0 })),
  unreadable: nullable(
    Type.Object(
      { field: oneOf(BALANCE_FIELDS), reason: oneOf(SET_ASIDE_REASONS) },
      { additionalProperties: false },
    ),
  ),
  balance_sign: nullable(oneOf(BALANCE_SIGNS)),
  livemode,
});

/** `staleMs`: beyond this age, which is when the bank could be asked again, a cached balance is called stale. */
export function presentBalance(
  account: RowId<'account'>,
  read: CachedRead<SignedBalance>,
  at: { readonly now: number; readonly staleMs: number },
): Static<typeof balanceSchema> {
  const { value, observedAt } = read;
  return {
    object: 'balance',
    account: publicId('account', account),
    current: value.current,
    available: value.available,
    currency: value.currency,
    observed_at: formatInstant(observedAt),
    freshness: at.now - observedAt > at.staleMs ? 'stale' : 'fresh',
    retry_after_seconds: null,
    unreadable: value.unreadable ?? null,
    balance_sign: value.sign,
    livemode: true,
  };
}

/** One of many: an account that could not be read is shown without its balance, with when it may go better. */
export function presentListedBalance(
  { account, read, retryAfterSeconds }: ListedBalance,
  at: { readonly now: number; readonly staleMs: number },
): Static<typeof balanceSchema> {
  if (read !== null) return presentBalance(account.id, read, at);
  return {
    object: 'balance',
    account: publicId('account', account.id),
    current: null,
    available: null,
    currency: account.currency,
    observed_at: null,
    freshness: 'unavailable',
    retry_after_seconds: retryAfterSeconds === null ? null : Math.ceil(retryAfterSeconds),
    unreadable: null,
    balance_sign: account.balance_sign,
    livemode: true,
  };
}

const balanceExample: Static<typeof balanceSchema> = {
  object: 'balance',
  account: exampleId('account'),
  current: aud(124_550),
  available: aud(119_550),
  currency: 'aud',
  observed_at: EXAMPLE_UPDATED,
  freshness: 'fresh',
  retry_after_seconds: null,
  unreadable: null,
  balance_sign: null,
  livemode: true,
};

export const balancesDocs: Readonly<Record<string, ResourceDocs>> = {
  balance: {
    description: 'The balance of one account. Negative when in debit, unless balance_sign is unverified.',
    fields: {
      observed_at: 'When the bank reported it.',
      freshness:
        'stale: reported before the bank could be asked again. unavailable: it could not be read; only in a list.',
      retry_after_seconds: 'When an unavailable balance may be read again, where that is known.',
      unreadable:
        'Which part of the balance is null because it could not be read from the bank’s response, and why; null if all of it could.',
      balance_sign:
        'Loans and credit cards: what a positive figure of the bank means; owed is negated here. unverified: the balance is as the bank sends it, because its meaning is unknown.',
    },
    example: balanceExample,
  },
};

const MINUTE_MS = 60_000;

export const balanceOperations: readonly Operation[] = [
  operation({
    id: 'list_balances',
    summary: 'Read the balances of many banking accounts in one answer',
    docs: {
      description:
        'Name each account with a parameter of its own: `account=acct_…&account=acct_…`. The answer has each once, in the order asked, on one page. An account that cannot be read is `unavailable` and does not fail the others.',
    },
    method: 'GET',
    path: '/v2/balances',
    scope: 'data:read',
    tier: 'mid',
    query: Type.Object({
      account: repeated(idOf('account', 'An account, acct_….'), {
        minItems: 1,
        ...limited({ maxItems: 'balance_accounts' }),
      }),
    }),
    response: listOf(balanceSchema),
    errors: ['resource_missing', 'wrong_endpoint_for_category'],
    handle: async ({ query, caller, services, signal }) => {
      const ids = query.account.map((text) => fieldId('account', text, 'account'));
      const listed = await services.balanceReads.list(caller.accountRecord.id, ids, signal);
      const at = { now: services.clock.now(), staleMs: services.limits.live_balance_minutes * MINUTE_MS };
      return wholeList(listed.map((balance) => presentListedBalance(balance, at)));
    },
  }),
  operation({
    id: 'get_account_balance',
    summary: 'Read the balance of a banking account',
    docs: { description: 'Read live through a short cache; banking accounts only.' },
    method: 'GET',
    path: '/v2/accounts/:id/balance',
    scope: 'data:read',
    tier: 'mid',
    params: idParams('account'),
    response: balanceSchema,
    errors: [...ACCOUNT_READ_ERRORS, 'balance_refresh_limited'],
    handle: async ({ params, caller, services, signal }) => {
      const id = pathId('account', params.id);
      const read = await services.accountReads.balance(caller.accountRecord.id, id, signal);
      const staleMs = services.limits.live_balance_minutes * MINUTE_MS;
      return presentBalance(id, read, { now: services.clock.now(), staleMs });
    },
  }),
];
