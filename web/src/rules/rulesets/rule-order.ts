import type { DragTarget } from '../../parts/drag-target.ts';
import { RULESET } from '../../text/rules.ts';

interface Ruled {
  readonly id: string;
  readonly name: string | null;
}

/** What a rule is called: by its name, else by its place. */
export function nameOf(rules: readonly Pick<Ruled, 'name'>[], at: number): string {
  return rules[at]?.name ?? RULESET.unnamed(at + 1);
}

/** The order with a rule one place up or down, or null if it is at the end. */
export function steppedRule<R extends Ruled>(
  rules: readonly R[],
  id: string,
  by: -1 | 1,
): readonly R[] | null {
  const at = rules.findIndex((rule) => rule.id === id);
  const next = at + by;
  return at === -1 || next < 0 || next >= rules.length ? null : placed(rules, at, next);
}

/** The order with a rule where the pointer is, or null if it is there already. */
export function draggedRule<R extends Ruled>(
  rules: readonly R[],
  id: string,
  { id: over, half }: DragTarget,
): readonly R[] | null {
  const from = rules.findIndex((rule) => rule.id === id);
  const target = rules.findIndex((rule) => rule.id === over);
  if (from === -1 || target === -1 || from === target) return null;
  // Counted without what is moved, which may be in front of the target.
  const before = from < target ? target - 1 : target;
  const to = half === 'upper' ? before : before + 1;
  return to === from ? null : placed(rules, from, to);
}

function placed<R>(rules: readonly R[], from: number, to: number): readonly R[] {
  const rule = rules[from];
  return rule === undefined ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, rule);
}
