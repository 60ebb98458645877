import { AU_BANKING_LINK } from './provider-kinds/au-banking.ts';
import { BROKERAGE_LINK } from './provider-kinds/brokerage.ts';
import type { LinkWords } from './provider-kinds/kind.ts';
import { NZ_BANKING_LINK } from './provider-kinds/nz-banking.ts';
import { UP_BANK_LINK } from './provider-kinds/up-bank.ts';
import type { ProviderIdentifier } from './provider-kinds.ts';

/** What people read before they link a bank, for each provider. */
export const LINK_WORDS: Readonly<Record<ProviderIdentifier, LinkWords>> = {
  au_banking: AU_BANKING_LINK,
  nz_banking: NZ_BANKING_LINK,
  brokerage: BROKERAGE_LINK,
  up_bank: UP_BANK_LINK,
};
