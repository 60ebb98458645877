import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Account, Category } from '#client';
import { categories } from '../api/categories.ts';
import { type SpendingRules, spendingRulesOf } from './spending-rules.ts';

const NO_CATEGORIES: readonly Category[] = [];

/** What counts as spending and income among these accounts; until the categories are known, the bank's codes decide. */
export function useSpendingRules(accounts: readonly Account[]): SpendingRules {
  const { data: known = NO_CATEGORIES } = useQuery(categories);
  return useMemo(() => spendingRulesOf(accounts, known), [accounts, known]);
}
