import { parsePublicId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  isRuleActionType,
  REPLACEABLE_FIELDS,
  RULE_ACTION_TYPES,
  RULE_ACTIONS,
  type RuleActionType,
} from '../../vocabulary/rule-actions.ts';
import type { RuleAction } from '../../vocabulary/rules.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { flagOf, listOf, type Members, membersOf, missingMember, onlyMembers, textOf } from './given.ts';

/**
 * The actions of a rule as a caller sent them. Raises as parseConditions does. `skip` must be alone, since anything
 * beside it would have no effect.
 */
export function parseActions(value: unknown, path: string, limits: Limits): readonly RuleAction[] {
  const given = listOf(value, path, limits.rule_actions);
  const actions = given.map((one, at) => parseAction(one, `${path}[${at}]`, limits));
  if (actions.length > 1 && actions.some((action) => action.type === 'skip')) {
    throw invalidParameter(path, `${path} must contain only skip: no other action applies to a skipped row.`);
  }
  return actions;
}

function parseAction(value: unknown, path: string, limits: Limits): RuleAction {
  const members = membersOf(value, path);
  const type = typeOf(members.get('type'), `${path}.type`);
  onlyMembers(members, path, ['type', ...RULE_ACTIONS[type]]);
  const most = limits.rule_text_characters;
  switch (type) {
    case 'flip_sign':
    case 'skip':
      return { type };
    case 'set_category':
      return { type, value: categoryOf(members.get('value'), `${path}.value`) };
    case 'replace_text':
      return {
        type,
        field: replaceable(members, `${path}.field`),
        find: textOf(members.get('find'), `${path}.find`, most),
        value: textOf(members.get('value'), `${path}.value`, most, true),
        case_sensitive: flagOf(members.get('case_sensitive'), `${path}.case_sensitive`, false),
      };
    default:
      return { type, value: visible(textOf(members.get('value'), `${path}.value`, most), `${path}.value`) };
  }
}

function typeOf(value: unknown, path: string): RuleActionType {
  if (value === undefined) throw missingMember(path);
  if (typeof value === 'string' && isRuleActionType(value)) return value;
  throw invalidParameter(path, `${path} must be one of ${RULE_ACTION_TYPES.join(', ')}.`);
}

function replaceable(members: Members, path: string) {
  const value = members.get('field');
  if (value === undefined) throw missingMember(path);
  const field = REPLACEABLE_FIELDS.find((name) => name === value);
  if (field !== undefined) return field;
  throw invalidParameter(path, `${path} must be one of ${REPLACEABLE_FIELDS.join(', ')}.`);
}

/** The caller that saves the rule checks the owner of the category. */
function categoryOf(value: unknown, path: string): string | null {
  if (value === undefined) throw missingMember(path);
  if (value === null) return null;
  if (typeof value !== 'string')
    throw invalidParameter(path, `${path} must be the id of a category, or null.`);
  if (parsePublicId('category', value) === null) throw missing('category', path);
  return value;
}

function visible(text: string, path: string): string {
  if (text.trim() !== '') return text;
  throw invalidParameter(path, `${path} must not be blank.`);
}
