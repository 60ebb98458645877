import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Rule } from '#client';
import { api } from '../../api/client.ts';
import { ruleset, rulesets } from '../../api/rulesets.ts';
import { offerUndo } from '../../parts/undo.tsx';
import { type DragOrder, useDragOrder } from '../../parts/use-drag-order.ts';
import { DRAGGING } from '../../text/categories.ts';
import { RULESET } from '../../text/rules.ts';
import { draggedRule, nameOf, steppedRule } from './rule-order.ts';

type Rules = readonly Rule[];

export interface RuleChanges {
  readonly drag: DragOrder<Rules>;
  readonly enable: (rule: Rule, enabled: boolean) => void;
  readonly remove: (rule: Rule) => void;
  readonly failure: { readonly title: string; readonly error: unknown } | null;
}

/** Changes of the rules of a ruleset, shown at once and taken back where the service refuses them. */
export function useRuleChanges(id: string, rules: Rules): RuleChanges {
  const queries = useQueryClient();
  const { queryKey } = ruleset(id);
  const show = async (next: Rules) => {
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (known) => (known === undefined ? known : { ...known, rules: [...next] }));
  };
  const mutationKey = ['rule-changes', id];
  const onSettled = () => {
    // While others wait their turn, the stored rules are not yet those that are shown.
    if (queries.isMutating({ mutationKey }) > 1) return;
    return queries.invalidateQueries({ queryKey: rulesets.queryKey });
  };
  const scope = { id: `rules of ${id}` };
  const reorder = useMutation({
    mutationKey,
    scope,
    mutationFn: ({ after }: { readonly rule: Rule; readonly after: Rules }) =>
      api.rulesets.reorder({ id, rules: after.map((rule) => rule.id), include: ['rules'] }),
    onMutate: ({ after }) => show(after),
    onSettled,
  });
  const enable = useMutation({
    mutationKey,
    scope,
    mutationFn: ({ rule, enabled }: { readonly rule: Rule; readonly enabled: boolean }) =>
      api.rulesets.updateRule({ id, rule: rule.id, enabled }),
    onMutate: ({ rule, enabled }) =>
      show(rules.map((one) => (one.id === rule.id ? { ...one, enabled } : one))),
    onSettled,
  });
  const remove = useMutation({
    mutationKey,
    scope,
    mutationFn: (rule: Rule) => api.rulesets.deleteRule({ id, rule: rule.id }),
    onMutate: async (rule) => {
      const before = { name: nameOf(rules, rules.indexOf(rule)), position: rules.indexOf(rule) };
      await show(rules.filter((one) => one.id !== rule.id));
      return before;
    },
    onSuccess: (_, { name, enabled, conditions, actions, stop }, before) =>
      offerUndo({
        title: RULESET.deleted(before.name),
        undo: async (undoing) => {
          const { position } = before;
          await undoing.rulesets.createRule({ id, name, enabled, conditions, actions, stop, position });
          await onSettled();
        },
        failed: RULESET.failed.restore(before.name),
      }),
    onSettled,
  });
  const at = (order: Rules, rule: string) => order.findIndex((one) => one.id === rule);
  const name = (order: Rules, rule: string) => nameOf(order, at(order, rule));
  const place = (order: Rules, rule: string) => RULESET.place(at(order, rule) + 1, order.length);
  const drag = useDragOrder<Rules>({
    order: rules,
    version: rules,
    kinds: () => ['rule'],
    step: steppedRule,
    over: draggedRule,
    save: (moved, after) => {
      const rule = rules.find((one) => one.id === moved);
      const isMoved = after.some((one, index) => one.id !== rules[index]?.id);
      if (rule !== undefined && isMoved) reorder.mutate({ rule, after });
    },
    words: {
      lifted: (rule, order) => DRAGGING.lifted(name(rules, rule), place(order, rule)),
      moved: (rule, order) => place(order, rule),
      dropped: (rule, order) => DRAGGING.dropped(name(rules, rule), place(order, rule)),
      cancelled: (rule, order) => DRAGGING.cancelled(name(rules, rule), place(order, rule)),
    },
  });
  const { failed } = RULESET;
  const titled = (rule: Rule | undefined) => (rule === undefined ? '' : name(rules, rule.id));
  const failures = [
    { error: reorder.error, title: failed.move(titled(reorder.variables?.rule)) },
    { error: enable.error, title: failed.change(titled(enable.variables?.rule)) },
    { error: remove.error, title: failed.delete(titled(remove.variables)) },
  ];
  const start = () => {
    for (const one of [reorder, enable, remove]) if (!one.isPending) one.reset();
  };
  return {
    drag,
    enable: (rule, enabled) => {
      start();
      enable.mutate({ rule, enabled });
    },
    remove: (rule) => {
      start();
      remove.mutate(rule);
    },
    failure: failures.find(({ error }) => error !== null) ?? null,
  };
}
