import { isRecord, type Json, type JsonObject } from '../../shared/json.ts';

/** Converts product members of older standards to the newest form; new ones are unchanged. */
export function newestProduct(detail: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (name === 'fees') return [name, each(value, newestFee)];
      if (name === 'features') return [name, each(value, newestFeature)];
      if (name === 'deposit_rates' || name === 'lending_rates') return [name, each(value, newestRate)];
      return [name, value];
    }),
  );
}

/** In older rows, the payment is nested in its service. */
export function newestExtendedData(data: JsonObject): JsonObject {
  const { service: _, extension_u_type: __, x2p101_payload: payload, ...rest } = data;
  if (!isRecord(payload)) return data.npp_payload === undefined ? rest : data;
  return { ...rest, extension_u_type: 'nppPayload', npp_payload: payload };
}

function each(value: Json, change: (entry: JsonObject) => JsonObject): Json {
  return Array.isArray(value) ? value.map((entry: Json) => (isObject(entry) ? change(entry) : entry)) : value;
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

function newestFee(fee: JsonObject): JsonObject {
  if (fee.fee_method_u_type !== undefined) return fee;
  const { amount, balance_rate, transaction_rate, accrued_rate, accrual_frequency, ...rest } = fee;
  if (amount !== undefined) return { ...rest, fee_method_u_type: 'fixedAmount', fixed_amount: { amount } };
  const rates: readonly (readonly [string, Json | undefined])[] = [
    ['BALANCE', balance_rate],
    ['TRANSACTION', transaction_rate],
    ['INTEREST_ACCRUED', accrued_rate],
  ];
  const found = rates.find(([, rate]) => rate !== undefined);
  if (!found) return { ...rest, fee_method_u_type: 'variable', variable: {} };
  const [rate_type, rate = null] = found;
  const frequency = accrual_frequency === undefined ? {} : { accrual_frequency };
  return { ...rest, fee_method_u_type: 'rateBased', rate_based: { rate_type, rate, ...frequency } };
}

function newestFeature(feature: JsonObject): JsonObject {
  if (typeof feature.is_activated !== 'boolean') return feature;
  return { ...feature, is_activated: feature.is_activated ? 'ACTIVATED' : 'NOT_ACTIVATED' };
}

function newestRate(rate: JsonObject): JsonObject {
  return rate.tiers === undefined ? rate : { ...rate, tiers: each(rate.tiers, newestTier) };
}

function newestTier(tier: JsonObject): JsonObject {
  const { minimum_value: low, maximum_value: high, applicability_conditions: conditions, ...rest } = tier;
  return {
    ...rest,
    ...(low === undefined || low === null ? {} : { minimum_value: String(low) }),
    ...(high === undefined || high === null ? {} : { maximum_value: String(high) }),
    ...(conditions === undefined
      ? {}
      : { applicability_conditions: isObject(conditions) ? [conditions] : conditions }),
  };
}
