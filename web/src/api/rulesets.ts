import { queryOptions } from '@tanstack/react-query';
import type { Ruleset, RulesetsUpdateInput } from '#client';
import { api } from './client.ts';

export const rulesets = queryOptions({
  queryKey: ['rulesets'],
  queryFn: ({ signal }) => api.rulesets.list({ limit: 100 }, { signal }).all(),
});

/** One ruleset with its rules. */
export function ruleset(id: string) {
  return queryOptions({
    queryKey: ['rulesets', id],
    queryFn: ({ signal }) => api.rulesets.get({ id, include: ['rules'] }, { signal }),
  });
}

export function updateRuleset(input: RulesetsUpdateInput): Promise<Ruleset> {
  return api.rulesets.update({ ...input, include: ['rules'] });
}
