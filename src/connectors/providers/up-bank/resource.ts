import { type Money, moneyFromDecimal } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { malformed, type WireObject } from '../kit/json.ts';
import { idText, inner, text } from '../kit/members.ts';

const NO_MEMBERS: WireObject = {};

/** An amount in both forms in which Up writes it. */
export interface UpMoney {
  readonly money: Money;
  /** As sent. */
  readonly decimal: string;
}

/** The attributes of a resource (JSON:API); none where it has none. */
export function attributesOf(resource: WireObject): WireObject {
  return inner(resource, 'attributes') ?? NO_MEMBERS;
}

/** The id of the one resource that a relationship leads to; null where it leads to none. */
export function relatedId(resource: WireObject, relationship: string): string | null {
  const relationships = inner(resource, 'relationships') ?? NO_MEMBERS;
  const data = inner(inner(relationships, relationship) ?? NO_MEMBERS, 'data');
  return data === null ? null : idText(data, 'id');
}

/**
 * A money member, read from its decimal text. Raises UpstreamFailure where it is missing or cannot be read exactly, and
 * where the base units beside the text are another amount: which of the two is right would be a guess. `what` names it.
 */
export function moneyOf(attributes: WireObject, name: string, what: string): UpMoney {
  const sent = inner(attributes, name);
  const written = sent === null ? null : decimal(sent, what, 'value');
  const currency = sent === null ? null : text(sent, 'currencyCode');
  if (sent === null || written === null || currency === null) throw malformed(`${what} is missing`);
  const money = exactly(written, currency, what);
  const { valueInBaseUnits: units } = sent;
  if (units !== undefined && units !== money.amount) throw malformed(`${what} says two different amounts`);
  return { money, decimal: written };
}

function exactly(written: string, currency: string, what: string): Money {
  try {
    return moneyFromDecimal(written, currency);
  } catch {
    throw malformed(`${what} cannot be read exactly`);
  }
}
