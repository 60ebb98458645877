import type { AccountType } from '../../../vocabulary/account-types.ts';
import { malformed, type WireObject } from '../kit/json.ts';
import { idText, nameText, text } from '../kit/members.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';
import { attributesOf, moneyOf } from './resource.ts';

const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['TRANSACTIONAL', 'transaction'],
  ['SAVER', 'savings'],
  ['HOME_LOAN', 'loan'],
]);
const BALANCE = 'the balance of an account';

/** One account. Up gives no account number, not even a masked one. */
export function mapAccount(resource: WireObject): ProviderAccount {
  const id = idText(resource, 'id');
  if (id === null) throw malformed('an account has no id');
  const attributes = attributesOf(resource);
  return {
    id,
    formerIds: [],
    available: true,
    name: nameText(attributes, 'displayName') ?? 'Account',
    type: TYPES.get(text(attributes, 'accountType') ?? '') ?? 'other',
    maskedNumber: null,
    fullNumber: null,
    currency: moneyOf(attributes, 'balance', BALANCE).money.currency,
  };
}

/** The one balance that Up has of an account: holds are taken off already, so it is the current and the available one. */
export function mapBalance(resource: WireObject): ProviderBalance {
  const { money, decimal } = moneyOf(attributesOf(resource), 'balance', BALANCE);
  return {
    current: money,
    available: money,
    currentDecimal: decimal,
    availableDecimal: decimal,
    currency: money.currency,
  };
}
