import { REPLACEABLE_FIELDS, RULE_ACTION_TYPES, RULE_ACTIONS } from '../../../vocabulary/rule-actions.ts';
import { RULE_FIELD_NAMES, RULE_OPERATORS, type RuleOperator } from '../../../vocabulary/rule-fields.ts';
import type { JsonObject, ResourceDocs } from '../docs/docs.ts';
import { limited } from '../schema/bounds.ts';

/**
 * The shapes of conditions and actions, from the tables of the vocabulary. The service parses both by hand, so that a
 * fault has its exact path; their schemas in the code say no more than that they are objects.
 */

const LISTS: readonly RuleOperator[] = ['in', 'not_in'];
const RANGES: readonly RuleOperator[] = ['between'];
const WITHOUT: readonly RuleOperator[] = ['is_empty', 'is_not_empty'];
const SINGLE = RULE_OPERATORS.filter((one) => ![...LISTS, ...RANGES, ...WITHOUT].includes(one));

const characters = limited({ maxLength: 'rule_text_characters' });
const text = { type: 'string', minLength: 1, ...characters };
const flag = { type: 'boolean', default: false };
const texts = (more: JsonObject): JsonObject => ({ type: 'array', items: text, ...more });
const node = { $ref: '#/components/schemas/rule_condition' };
const nodes = { type: 'array', items: node, minItems: 1, ...limited({ maxItems: 'rule_conditions' }) };

/** An object with these members and no others; those named `optional` may be left out. */
function closed(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function leaf(
  operators: readonly RuleOperator[],
  value: JsonObject,
  optional: readonly string[],
): JsonObject {
  const properties = {
    field: { type: 'string', enum: RULE_FIELD_NAMES },
    operator: { type: 'string', enum: operators },
    value,
    case_sensitive: flag,
  };
  return closed(properties, ['case_sensitive', ...optional]);
}

/** Members of actions by name; `value` is a text but where the type says otherwise. */
const MEMBERS: Readonly<Record<string, JsonObject>> = {
  field: { type: 'string', enum: REPLACEABLE_FIELDS },
  find: text,
  value: text,
  case_sensitive: flag,
};
const VALUES: Readonly<Record<string, JsonObject>> = {
  set_category: { anyOf: [text, { type: 'null' }] },
  replace_text: { type: 'string', ...characters },
};

function actionShape(type: keyof typeof RULE_ACTIONS): JsonObject {
  const members = RULE_ACTIONS[type].map((name) => {
    const special = name === 'value' ? VALUES[type] : undefined;
    return [name, special ?? MEMBERS[name]];
  });
  return closed({ type: { type: 'string', const: type }, ...Object.fromEntries(members) }, [
    'case_sensitive',
  ]);
}

export const ruleConditionWords: ResourceDocs = {
  description:
    'A tree of all, any and not over conditions on fields. Which operators a field takes follows its kind; amounts are decimal texts without a sign, days YYYY-MM-DD. case_sensitive goes with operators that compare texts.',
  shape: {
    oneOf: [
      closed({ all: nodes }),
      closed({ any: nodes }),
      closed({ not: node }),
      leaf(SINGLE, text, []),
      leaf(LISTS, texts({ minItems: 1, ...limited({ maxItems: 'rule_values' }) }), []),
      leaf(RANGES, texts({ minItems: 2, maxItems: 2 }), []),
      leaf(WITHOUT, { type: 'null' }, ['value']),
    ],
  },
  example: { not: { field: 'amount', operator: 'between', value: ['5.00', '20.00'], case_sensitive: false } },
};

export const ruleActionWords: ResourceDocs = {
  description: 'One action on a row. skip must be the only action of its rule.',
  shape: { oneOf: RULE_ACTION_TYPES.map(actionShape) },
  example: { type: 'set_category', value: null },
};
