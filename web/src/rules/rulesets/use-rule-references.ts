import { useQuery } from '@tanstack/react-query';
import type { Account, Category, ProviderCategory } from '#client';
import { accounts } from '../../api/accounts.ts';
import { categories, providerCategories } from '../../api/categories.ts';
import { accountNames } from '../../format/account-names.ts';
import { READING } from '../../text/rule-words.ts';
import type { RuleNames } from './reading.ts';

/** What rules can refer to, and what it is called. */
export interface RuleReferences {
  readonly categories: readonly Category[];
  readonly accounts: readonly Account[];
  readonly codes: readonly ProviderCategory[];
  readonly names: RuleNames;
}

/** Until everything is loaded, what is missing is called by its id. */
export function useRuleReferences(): RuleReferences {
  const { data: allCategories } = useQuery(categories);
  const { data: allAccounts } = useQuery(accounts);
  const names = accountNames(allAccounts ?? []);
  const { data: codes } = useQuery(providerCategories);
  return {
    categories: allCategories ?? [],
    accounts: allAccounts ?? [],
    codes: codes ?? [],
    names: {
      category: (id) =>
        allCategories === undefined
          ? READING.nothing
          : (allCategories.find((one) => one.id === id)?.name ?? READING.gone),
      account: (id) => names.get(id) ?? id,
      code: (code) => codes?.find((one) => one.code === code)?.label ?? code,
    },
  };
}
