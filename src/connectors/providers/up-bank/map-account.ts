import type { AccountType } from '../../../vocabulary/account-types.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import type { WireObject } from '../kit/json.ts';
import { idText, inner, nameText, text } from '../kit/members.ts';
import { balanceOf, requiredAccountId } from '../kit/set-aside.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';
import { attributesOf, moneyOf } from './resource.ts';

const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['TRANSACTIONAL', 'transaction'],
  ['SAVER', 'savings'],
  ['HOME_LOAN', 'loan'],
]);
/** All of Up's accounts are in it: it is that of one whose balance does not say. */
const DEFAULT_CURRENCY = 'aud';

/** One account. Up gives no account number, not even a masked one. Raises UnusableMember without an id. */
export function mapAccount(resource: WireObject): ProviderAccount {
  const id = requiredAccountId(idText(resource, 'id'));
  const attributes = attributesOf(resource);
  return {
    id,
    formerIds: [],
    available: true,
    name: nameText(attributes, 'displayName') ?? 'Account',
    type: TYPES.get(text(attributes, 'accountType') ?? '') ?? 'other',
    maskedNumber: null,
    fullNumber: null,
    currency:
      currencyCode(text(inner(attributes, 'balance') ?? {}, 'currencyCode') ?? '') ?? DEFAULT_CURRENCY,
  };
}

/** The one balance that Up has of an account: holds are taken off already, so it is the current and the available one. */
export function mapBalance(resource: WireObject): ProviderBalance {
  const read = () => moneyOf(attributesOf(resource), 'balance', 'current');
  return balanceOf({
    currency: () => read().money.currency,
    current: () => read().decimal,
    available: () => read().decimal,
  });
}
