import { parsePublicId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { isLocalDate } from '../../vocabulary/moments.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import {
  isRuleField,
  isRuleOperator,
  operatorsOf,
  RULE_FIELD_NAMES,
  RULE_FIELDS,
  type RuleField,
  type RuleOperator,
  wordsOf,
} from '../../vocabulary/rule-fields.ts';
import type { LeafValue, RuleLeaf } from '../../vocabulary/rules.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { composed } from '../../vocabulary/text-folding.ts';
import { flagOf, listOf, type Members, missingMember, onlyMembers, textOf } from './given.ts';
import { compilePattern, isUnsignedDecimal } from './pattern.ts';

/** `{field, operator, value, case_sensitive?}` at `path`. Raises with the path of the member at fault. */
export function parseLeaf(members: Members, path: string, limits: Limits): RuleLeaf {
  onlyMembers(members, path, ['field', 'operator', 'value', 'case_sensitive']);
  const field = fieldOf(members.get('field'), `${path}.field`);
  const operator = operatorOf(members.get('operator'), `${path}.operator`, field);
  const case_sensitive = flagOf(members.get('case_sensitive'), `${path}.case_sensitive`, false);
  if (case_sensitive && !comparesText(field, operator)) {
    throw invalidParameter(
      `${path}.case_sensitive`,
      `${path}.case_sensitive applies only to text comparisons; ${operator} on ${field} is not one.`,
    );
  }
  const value = parsedValue(members.get('value'), `${path}.value`, { field, operator, limits });
  if (operator === 'matches' && typeof value === 'string') {
    compilePattern(composed(value), case_sensitive, limits, `${path}.value`);
  }
  return { field, operator, value, case_sensitive };
}

function fieldOf(value: unknown, path: string): RuleField {
  if (value === undefined) throw missingMember(path);
  if (typeof value === 'string' && isRuleField(value)) return value;
  throw invalidParameter(path, `${path} must be one of ${RULE_FIELD_NAMES.join(', ')}.`);
}

function operatorOf(value: unknown, path: string, field: RuleField): RuleOperator {
  if (value === undefined) throw missingMember(path);
  const operators = operatorsOf(field);
  if (typeof value === 'string' && isRuleOperator(value) && operators.includes(value)) return value;
  throw invalidParameter(path, `${path} on ${field} must be one of ${operators.join(', ')}.`);
}

function comparesText(field: RuleField, operator: RuleOperator): boolean {
  return RULE_FIELDS[field].kind === 'text' && operator !== 'is_empty' && operator !== 'is_not_empty';
}

interface Of {
  readonly field: RuleField;
  readonly operator: RuleOperator;
  readonly limits: Limits;
}

function parsedValue(value: unknown, path: string, of: Of): LeafValue {
  switch (of.operator) {
    case 'is_empty':
    case 'is_not_empty':
      if (value === undefined || value === null) return null;
      throw invalidParameter(path, `${path} must be absent: ${of.operator} takes no value.`);
    case 'in':
    case 'not_in':
      if (value === undefined) throw missingMember(path);
      return listOf(value, path, of.limits.rule_values).map((one, at) => single(one, `${path}[${at}]`, of));
    case 'between':
      return bounds(value, path, of);
    default:
      return single(value, path, of);
  }
}

function bounds(value: unknown, path: string, of: Of): LeafValue {
  if (value === undefined) throw missingMember(path);
  if (!Array.isArray(value) || value.length !== 2) {
    throw invalidParameter(path, `${path} must be a list of the lowest and the highest value.`);
  }
  const [low = '', high = ''] = value.map((one, at) => single(one, `${path}[${at}]`, of));
  const turned = of.field === 'amount' ? Number(low) > Number(high) : low > high;
  if (turned) throw invalidParameter(path, `${path} has the highest value first; swap the two.`);
  return [low, high];
}

/** One value of the field's kind, in its stored form. */
function single(value: unknown, path: string, { field, operator, limits }: Of): string {
  const most = operator === 'matches' ? limits.rule_pattern_characters : limits.rule_text_characters;
  const text = textOf(value, path, most);
  const { kind } = RULE_FIELDS[field];
  switch (kind) {
    case 'text':
    case 'code':
      return text;
    case 'amount':
      if (isUnsignedDecimal(text)) return text;
      throw invalidParameter(
        path,
        `${path} must be an unsigned decimal such as "12.50": amount is the magnitude, and direction gives the sign.`,
      );
    case 'day':
      if (isLocalDate(text)) return text;
      throw invalidParameter(path, `${path} must be a valid date, YYYY-MM-DD.`);
    case 'word':
      if (wordsOf(field).includes(text)) return text;
      throw invalidParameter(path, `${path} must be one of ${wordsOf(field).join(', ')}.`);
    case 'currency': {
      const code = currencyCode(text);
      if (code !== null) return code;
      throw invalidParameter(path, `${path} must be a three-letter currency code, such as aud.`);
    }
    case 'category':
    case 'account':
      if (parsePublicId(kind, text) !== null) return text;
      throw missing(kind, path);
  }
}
