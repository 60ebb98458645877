import type { RuleBody } from '../../vocabulary/rules.ts';
import { type ActionContext, compileAction, type RowChange } from './apply-action.ts';
import { type CompileContext, compileCondition, type RowTest } from './compile-condition.ts';
import type { WorkingRow } from './working-row.ts';

export interface Ruled {
  /** null: a rule skipped the row. */
  readonly row: WorkingRow | null;
  /** The indexes, in the given list, of the rules that acted, in order. */
  readonly hits: readonly number[];
}

export type CompiledRules = (row: WorkingRow) => Ruled;

interface CompiledRule {
  readonly place: number;
  readonly applies: RowTest;
  /** null: the row is skipped. */
  readonly changes: readonly RowChange[] | null;
  readonly stop: boolean;
}

const NO_HITS: readonly number[] = [];

/**
 * Compiles rules, in order, into one function. Each sees the row as earlier rules left it; a rule with `stop` that acts
 * is the last, and so is one that skips. Disabled rules are ignored. Raises `parameter_invalid` for a pattern that does
 * not compile, which parsed rules never contain.
 */
export function compileRules(
  rules: readonly RuleBody[],
  context: CompileContext & ActionContext,
): CompiledRules {
  const compiled = rules.flatMap((rule, place): CompiledRule[] =>
    rule.enabled ? [{ place, ...compileRule(rule, context), stop: rule.stop }] : [],
  );
  return (read) => {
    let row = read;
    let hits: number[] | null = null;
    for (const rule of compiled) {
      if (!rule.applies(row)) continue;
      hits ??= [];
      hits.push(rule.place);
      if (rule.changes === null) return { row: null, hits };
      for (const change of rule.changes) row = change(row);
      if (rule.stop) break;
    }
    return { row, hits: hits ?? NO_HITS };
  };
}

function compileRule(
  { conditions, actions }: RuleBody,
  context: CompileContext & ActionContext,
): Pick<CompiledRule, 'applies' | 'changes'> {
  const applies = conditions === null ? always : compileCondition(conditions, context);
  const changes: RowChange[] = [];
  for (const action of actions) {
    const change = compileAction(action, context);
    if (change === null) return { applies, changes: null };
    changes.push(change);
  }
  return { applies, changes };
}

const always: RowTest = () => true;
