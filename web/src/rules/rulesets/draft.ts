import type { Rule, RuleAction, RuleCondition } from '#client';
import type { ReplaceableField, RuleActionType } from '../../../../src/vocabulary/rule-actions.ts';
import {
  operatorsOf,
  RULE_FIELDS,
  type RuleField,
  type RuleOperator,
  wordsOf,
} from '../../../../src/vocabulary/rule-fields.ts';

/** What a rule does, apart from its place in the order and how often it did. */
export type RuleBody = Pick<Rule, 'name' | 'enabled' | 'conditions' | 'actions' | 'stop'>;

/** A rule while it is edited. Whether it makes sense is the service's to say. */
export interface RuleDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly everyRow: boolean;
  readonly root: GroupDraft;
  readonly actions: readonly ActionDraft[];
  readonly stop: boolean;
}

export interface GroupDraft {
  readonly kind: 'group';
  readonly key: number;
  readonly negated: boolean;
  readonly match: 'all' | 'any';
  readonly children: readonly NodeDraft[];
}

export interface LeafDraft {
  readonly kind: 'leaf';
  readonly key: number;
  readonly negated: boolean;
  readonly field: RuleField;
  readonly operator: RuleOperator;
  /** One text, both ends of a range, or every value of a list. */
  readonly texts: readonly string[];
  readonly caseSensitive: boolean;
}

export type NodeDraft = GroupDraft | LeafDraft;

export interface ActionDraft {
  readonly key: number;
  readonly type: RuleActionType;
  /** Null for `set_category` clears the category. */
  readonly value: string | null;
  readonly field: ReplaceableField;
  readonly find: string;
  readonly caseSensitive: boolean;
}

let lastKey = 0;
function newKey(): number {
  lastKey += 1;
  return lastKey;
}

export function newLeaf(field: RuleField = 'description'): LeafDraft {
  const operators = operatorsOf(field);
  const operator = operators.includes('contains') ? 'contains' : (operators[0] ?? 'equals');
  const texts = [wordsOf(field)[0] ?? ''];
  return { kind: 'leaf', key: newKey(), negated: false, field, operator, texts, caseSensitive: false };
}

export function newGroup(children: readonly NodeDraft[] = [newLeaf()]): GroupDraft {
  return { kind: 'group', key: newKey(), negated: false, match: 'any', children };
}

export function newAction(type: RuleActionType = 'set_category'): ActionDraft {
  const value = type === 'set_category' ? null : '';
  return { key: newKey(), type, value, field: 'description', find: '', caseSensitive: false };
}

/** A rule that matches nothing in particular yet. */
export function emptyDraft(): RuleDraft {
  return {
    name: '',
    enabled: true,
    everyRow: false,
    root: { ...newGroup(), match: 'all' },
    actions: [newAction()],
    stop: false,
  };
}

export function draftOf({ name, enabled, conditions, actions, stop }: RuleBody): RuleDraft {
  const node = conditions === null ? newLeaf() : nodeOf(conditions, false);
  return {
    name: name ?? '',
    enabled,
    everyRow: conditions === null,
    root: node.kind === 'group' ? node : { ...newGroup([node]), match: 'all' },
    actions: actions.map(actionDraftOf),
    stop,
  };
}

export function bodyOf({ name, enabled, everyRow, root, actions, stop }: RuleDraft): RuleBody {
  return {
    name: name.trim() === '' ? null : name.trim(),
    enabled,
    conditions: everyRow ? null : conditionOf(root),
    actions: actions.map(actionOf),
    stop,
  };
}

/** Where the condition of a node is in the body, as errors name it. */
export function pathOf(node: NodeDraft, at: string): string {
  return node.negated ? `${at}.not` : at;
}

/** Which of a field's operators hold how many values. */
export function shapeOf(operator: RuleOperator): 'none' | 'one' | 'range' | 'list' {
  if (operator === 'is_empty' || operator === 'is_not_empty') return 'none';
  if (operator === 'between') return 'range';
  return operator === 'in' || operator === 'not_in' ? 'list' : 'one';
}

/** Whether the comparison may mind capitals. */
export function mindsCase({ field, operator }: LeafDraft): boolean {
  return RULE_FIELDS[field].kind === 'text' && shapeOf(operator) !== 'none';
}

function nodeOf(condition: RuleCondition, negated: boolean): NodeDraft {
  if ('not' in condition) return nodeOf(condition.not, !negated);
  if ('all' in condition) return groupOf('all', condition.all, negated);
  if ('any' in condition) return groupOf('any', condition.any, negated);
  const { field, operator, value, case_sensitive: caseSensitive = false } = condition;
  return { kind: 'leaf', key: newKey(), negated, field, operator, texts: textsOf(value), caseSensitive };
}

function groupOf(match: 'all' | 'any', children: readonly RuleCondition[], negated: boolean): GroupDraft {
  return {
    kind: 'group',
    key: newKey(),
    negated,
    match,
    children: children.map((one) => nodeOf(one, false)),
  };
}

function textsOf(value: string | readonly string[] | null | undefined): readonly string[] {
  if (value == null) return [''];
  return typeof value === 'string' ? [value] : value;
}

function conditionOf(node: NodeDraft): RuleCondition {
  const inner: RuleCondition = node.kind === 'group' ? groupCondition(node) : leafCondition(node);
  return node.negated ? { not: inner } : inner;
}

function groupCondition({ match, children }: GroupDraft): RuleCondition {
  const branches = children.map(conditionOf);
  return match === 'all' ? { all: branches } : { any: branches };
}

function leafCondition(leaf: LeafDraft): RuleCondition {
  const { field, operator, texts } = leaf;
  const [first = '', second = ''] = texts;
  const compared = { field, case_sensitive: leaf.caseSensitive && mindsCase(leaf) };
  switch (operator) {
    case 'is_empty':
    case 'is_not_empty':
      return { ...compared, operator, value: null };
    case 'between':
      return { ...compared, operator, value: [first, second] };
    case 'in':
    case 'not_in':
      return { ...compared, operator, value: texts.filter((text) => text !== '') };
    default:
      return { ...compared, operator, value: first };
  }
}

function actionDraftOf(action: RuleAction): ActionDraft {
  const draft = newAction(action.type);
  if (action.type === 'replace_text') {
    const { field, find, value, case_sensitive: caseSensitive = false } = action;
    return { ...draft, field, find, value, caseSensitive };
  }
  return 'value' in action ? { ...draft, value: action.value } : draft;
}

function actionOf({ type, value, field, find, caseSensitive }: ActionDraft): RuleAction {
  switch (type) {
    case 'set_category':
      return { type, value };
    case 'replace_text':
      return { type, field, find, value: value ?? '', case_sensitive: caseSensitive };
    case 'flip_sign':
    case 'skip':
      return { type };
    default:
      return { type, value: value ?? '' };
  }
}
