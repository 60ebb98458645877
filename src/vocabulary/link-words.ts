import { AU_BANKING_LINK } from './provider-kinds/au-banking.ts';
import { BROKERAGE_LINK } from './provider-kinds/brokerage.ts';
import { ENABLE_BANKING_LINK } from './provider-kinds/enable-banking.ts';
import type { LinkWords } from './provider-kinds/kind.ts';
import { NZ_BANKING_LINK } from './provider-kinds/nz-banking.ts';
import { SIMPLEFIN_LINK } from './provider-kinds/simplefin.ts';
import { UP_BANK_LINK } from './provider-kinds/up-bank.ts';
import type { LinkedProvider } from './provider-kinds.ts';

/** What people read before they link a bank, for each provider that is linked. */
export const LINK_WORDS: Readonly<Record<LinkedProvider, LinkWords>> = {
  au_banking: AU_BANKING_LINK,
  nz_banking: NZ_BANKING_LINK,
  brokerage: BROKERAGE_LINK,
  up_bank: UP_BANK_LINK,
  simplefin: SIMPLEFIN_LINK,
  enable_banking: ENABLE_BANKING_LINK,
};
