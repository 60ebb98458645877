import type { Capability } from '../../vocabulary/provider-kinds.ts';
import type { Provider } from './provider-contract.ts';

/** The members that an adapter must have, in addition to the required ones, to offer a capability. */
export const CAPABILITY_MEMBERS = {
  institutions: ['listInstitutions'],
  customers: ['createCustomer'],
  link: [],
  reauthorize: [],
  consents: ['readConsent'],
  withdraw: [],
  accounts: [],
  balance: ['readBalance'],
  live_balance: ['readBalance'],
  details: ['readDetails'],
  transactions: ['transactionPages'],
  history_state: ['readHistoryState'],
  pending_transactions: ['transactionPages'],
  refresh: ['requestRefresh'],
  webhooks: ['receiveWebhook'],
  holdings: ['readHoldings'],
  trades: ['tradePages'],
} as const satisfies Record<Capability, readonly (keyof Provider)[]>;

/** An adapter with what a capability needs. */
export type Offering<C extends Capability> = Provider &
  Required<Pick<Provider, (typeof CAPABILITY_MEMBERS)[C][number]>>;

/** Whether the adapter names the capability and has what it needs. */
export function offers<C extends Capability>(adapter: Provider, capability: C): adapter is Offering<C> {
  return (
    adapter.capabilities.has(capability) &&
    CAPABILITY_MEMBERS[capability].every((member) => adapter[member] !== undefined)
  );
}
