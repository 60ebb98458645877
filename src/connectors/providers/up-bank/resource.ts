import type { Money } from '../../../vocabulary/money.ts';
import type { BalanceField, SetAsideField } from '../../../vocabulary/set-aside-rows.ts';
import { decimal } from '../kit/decimal.ts';
import { idText, inner, text, type WireObject } from '../kit/json.ts';
import { moneyIn, UnusableMember } from '../kit/set-aside.ts';

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

/** The id of the resource that a relationship refers to; null if there is none. */
export function relatedId(resource: WireObject, relationship: string): string | null {
  const relationships = inner(resource, 'relationships') ?? NO_MEMBERS;
  const data = inner(inner(relationships, relationship) ?? NO_MEMBERS, 'data');
  return data === null ? null : idText(data, 'id');
}

/**
 * A money member, read from its decimal text. Raises UnusableMember if it is missing or cannot be read exactly, or if
 * the accompanying base units are a different amount: which of the two is right would be a guess.
 */
export function moneyOf(
  attributes: WireObject,
  name: string,
  field: Extract<SetAsideField, 'amount'> | BalanceField,
): UpMoney {
  const sent = inner(attributes, name);
  if (sent === null) throw new UnusableMember(field, attributes[name] == null ? 'missing' : 'unreadable');
  const written = decimal(sent, field, 'value');
  if (written === null) throw new UnusableMember(field, sent.value == null ? 'missing' : 'unreadable');
  const currency = text(sent, 'currencyCode');
  if (currency === null)
    throw new UnusableMember('currency', sent.currencyCode == null ? 'missing' : 'unreadable');
  const money = moneyIn(field, written, currency);
  const { valueInBaseUnits: units } = sent;
  if (units !== undefined && units !== money.amount) throw new UnusableMember(field, 'contradictory');
  return { money, decimal: written };
}
