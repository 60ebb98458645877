import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, requiredQuery } from '../shared/request.ts';
import { fiskilAccountId } from './bank-account.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { ApiVersion, VendorRequest } from './request.ts';
import type { SharedAccounts } from './shared-accounts.ts';

/** `GET /v1/banking/accounts` */
export function listAccounts(shared: SharedAccounts, request: VendorRequest, baseUrl: string): Reply {
  checkQuery(request.query, ['end_user_id', ...PAGE_PARAMETERS]);
  const found = shared.of(requiredQuery(request.query, 'end_user_id'), 'accounts');
  const items = found.map(({ consent, account }) => ({
    key: `${consent.arrangementId}/${account.accountId}`,
    json: {
      account_id: account.accountId,
      fiskil_id: fiskilAccountId(account),
      arrangement_id: consent.arrangementId,
      institution_id: account.institutionId,
      ...inVersion(account.detail, request.version),
      ...(account.state === 'CLOSED' ? { open_status: 'CLOSED' } : {}),
    },
  }));
  const page = pageList(items, baseUrl, request.path, request.query);
  return json(200, { accounts: page.items, links: page.links });
}

/** An account's members as a version of the API shows them; v1 has the older product shapes. */
function inVersion(detail: JsonObject, version: ApiVersion): JsonObject {
  if (version !== 'v1') return detail;
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (name === 'fees') return [name, each(value, olderFee)];
      if (name === 'features') return [name, each(value, olderFeature)];
      if (name === 'deposit_rates' || name === 'lending_rates') return [name, each(value, olderRate)];
      return [name, value];
    }),
  );
}

type Plain = Readonly<Record<string, Json>>;

function each(value: Json | undefined, change: (entry: Plain) => Json): Json {
  if (!Array.isArray(value)) return value ?? null;
  return value.map((entry: Json) => (isObject(entry) ? change(entry) : entry));
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** The union of fee methods used to be one flat set of members. */
function olderFee(fee: Plain): Json {
  const { fee_method_u_type: _, fixed_amount, rate_based, variable: __, ...rest } = fee;
  const flat: Record<string, Json> = { ...rest };
  if (isObject(fixed_amount)) flat.amount = fixed_amount.amount ?? null;
  if (isObject(rate_based)) {
    const { rate_type, rate = null } = rate_based;
    if (rate_type === 'BALANCE') flat.balance_rate = rate;
    if (rate_type === 'TRANSACTION') flat.transaction_rate = rate;
    if (rate_type === 'INTEREST_ACCRUED') flat.accrued_rate = rate;
  }
  return flat;
}

function olderFeature(feature: Plain): Json {
  const { is_activated, ...rest } = feature;
  return is_activated === undefined ? rest : { ...rest, is_activated: is_activated === 'ACTIVATED' };
}

function olderRate(rate: Plain): Json {
  return rate.tiers === undefined ? rate : { ...rate, tiers: each(rate.tiers, olderTier) };
}

function olderTier(tier: Plain): Json {
  const { minimum_value, maximum_value, applicability_conditions: conditions, ...rest } = tier;
  return {
    ...rest,
    minimum_value: Number(minimum_value),
    ...(maximum_value === undefined ? {} : { maximum_value: Number(maximum_value) }),
    ...(Array.isArray(conditions) ? { applicability_conditions: conditions[0] ?? null } : {}),
  };
}
