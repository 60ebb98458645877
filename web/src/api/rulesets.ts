import { queryOptions } from '@tanstack/react-query';
import type { RuleBody } from '../../../src/vocabulary/rules.ts';
import { ask } from './client.ts';
import { everyItem } from './lists.ts';
import type { NewRuleset, PreviewRequest, Rule, Ruleset, RulesetPatch, RulesetPreview } from './ruleset.ts';
import type { Sync } from './syncs.ts';

const WITH_RULES = { 'include[]': ['rules'] };

export const rulesets = queryOptions({
  queryKey: ['rulesets'],
  queryFn: ({ signal }) => everyItem<Ruleset>({ path: 'rulesets', signal }),
});

/** One ruleset with its rules. */
export function ruleset(id: string) {
  return queryOptions({
    queryKey: ['rulesets', id],
    queryFn: ({ signal }) => ask<Ruleset>({ path: pathOf(id), query: WITH_RULES, signal }),
  });
}

export function createRuleset(body: NewRuleset): Promise<Ruleset> {
  return ask({ method: 'POST', path: 'rulesets', body });
}

export function updateRuleset(id: string, body: RulesetPatch): Promise<Ruleset> {
  return ask({ method: 'POST', path: pathOf(id), query: WITH_RULES, body });
}

export function duplicateRuleset(id: string): Promise<Ruleset> {
  return ask({ method: 'POST', path: `${pathOf(id)}/duplicate` });
}

export function deleteRuleset(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: pathOf(id) });
}

/** `rules`: every rule once, in the new order. */
export function reorderRules(id: string, rules: readonly string[]): Promise<Ruleset> {
  return ask({ method: 'POST', path: `${pathOf(id)}/reorder`, query: WITH_RULES, body: { rules } });
}

/** What the rules would make of the rows an account has now. Nothing is stored. */
export function previewRuleset(id: string, body: PreviewRequest): Promise<RulesetPreview> {
  return ask({ method: 'POST', path: `${pathOf(id)}/preview`, body });
}

export function createRule(id: string, rule: RuleBody): Promise<Rule> {
  return ask({ method: 'POST', path: `${pathOf(id)}/rules`, body: rule });
}

export function updateRule(id: string, rule: string, patch: Partial<RuleBody>): Promise<Rule> {
  return ask({ method: 'POST', path: `${pathOf(id)}/rules/${encodeURIComponent(rule)}`, body: patch });
}

export function deleteRule(id: string, rule: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: `${pathOf(id)}/rules/${encodeURIComponent(rule)}` });
}

/** Attaches these rulesets to a sync in place of those it had; none detaches. */
export function attachRulesets(sync: string, attached: readonly string[]): Promise<Sync> {
  const path = `syncs/${encodeURIComponent(sync)}/rulesets`;
  return ask({ method: 'POST', path, body: { rulesets: attached } });
}

function pathOf(id: string): string {
  return `rulesets/${encodeURIComponent(id)}`;
}
