import { ActionIcon, NativeSelect } from '@mantine/core';
import {
  isRuleField,
  isRuleOperator,
  operatorsOf,
  RULE_FIELD_NAMES,
  RULE_FIELDS,
} from '../../../../src/vocabulary/rule-fields.ts';
import { Check } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FIELD_WORDS, OPERATOR_WORDS } from '../../text/rule-words.ts';
import { RULE_FORM } from '../../text/rules.ts';
import { type LeafDraft, mindsCase, newLeaf, pathOf, shapeOf } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import classes from './ruleset.module.css';
import type { RuleReferences } from './use-rule-references.ts';
import { ValueField, ValueList } from './value-field.tsx';

interface LeafEditorProps {
  readonly leaf: LeafDraft;
  readonly at: number;
  readonly path: string;
  readonly references: RuleReferences;
  readonly error: FieldError | null;
  readonly onChange: (leaf: LeafDraft) => void;
  readonly onRemove: () => void;
}

/** One condition: a field, a comparison, and what it is compared with. */
export function LeafEditor({ leaf, at, path, references, error, onChange, onRemove }: LeafEditorProps) {
  const { kind } = RULE_FIELDS[leaf.field];
  const own = pathOf(leaf, path);
  // Errors of the value are at the value.
  const general = errorAt(error, `${own}.value`) === null ? errorAt(error, path) : null;
  const choose = (field: string) => {
    if (!isRuleField(field)) return;
    const isLikewise = RULE_FIELDS[field].kind === kind && kind !== 'word';
    onChange(isLikewise ? { ...leaf, field } : { ...newLeaf(field), key: leaf.key, negated: leaf.negated });
  };
  return (
    <fieldset className={classes.leaf}>
      <legend className={classes.legend}>{RULE_FORM.condition(at + 1)}</legend>
      <div className={classes.leafFields}>
        <NativeSelect
          label={RULE_FORM.field}
          value={leaf.field}
          data={RULE_FIELD_NAMES.map((field) => ({ value: field, label: FIELD_WORDS[field] }))}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <NativeSelect
          label={RULE_FORM.operator}
          value={leaf.operator}
          data={operatorsOf(leaf.field).map((operator) => ({
            value: operator,
            label: OPERATOR_WORDS[kind][operator],
          }))}
          onChange={({ currentTarget: { value } }) => {
            if (isRuleOperator(value)) onChange({ ...leaf, operator: value });
          }}
        />
        <ValueFields
          leaf={leaf}
          path={`${own}.value`}
          references={references}
          error={error}
          onChange={onChange}
        />
        <ActionIcon
          className={classes.menu ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={RULE_FORM.removeCondition(at + 1)}
          onClick={onRemove}
        >
          <Icon name="close" />
        </ActionIcon>
      </div>
      <div className={classes.leafChecks}>
        <Check
          label={RULE_FORM.negated}
          checked={leaf.negated}
          onChange={(negated) => onChange({ ...leaf, negated })}
        />
        {mindsCase(leaf) ? (
          <Check
            label={RULE_FORM.caseSensitive}
            checked={leaf.caseSensitive}
            onChange={(caseSensitive) => onChange({ ...leaf, caseSensitive })}
          />
        ) : null}
      </div>
      {general === null ? null : (
        <p className={classes.fault} role="alert">
          {general}
        </p>
      )}
    </fieldset>
  );
}

interface ValueFieldsProps {
  readonly leaf: LeafDraft;
  /** Of the value in the rule. */
  readonly path: string;
  readonly references: RuleReferences;
  readonly error: FieldError | null;
  readonly onChange: (leaf: LeafDraft) => void;
}

/** What a condition compares with: nothing, one value, both ends of a range, or a list. */
function ValueFields({ leaf, path, references, error, onChange }: ValueFieldsProps) {
  const [first = '', second = ''] = leaf.texts;
  const message = errorAt(error, path);
  const change = (texts: readonly string[]) => onChange({ ...leaf, texts });
  switch (shapeOf(leaf.operator)) {
    case 'none':
      return <span className={classes.value} />;
    case 'one':
      return (
        <div className={classes.value}>
          <ValueField
            leaf={leaf}
            label={RULE_FORM.value}
            value={first}
            references={references}
            error={message}
            onChange={(text) => change([text])}
          />
        </div>
      );
    case 'range': {
      const isOfSecond = errorAt(error, `${path}[1]`) !== null;
      return (
        <div className={classes.range}>
          <ValueField
            leaf={leaf}
            label={RULE_FORM.lowest}
            value={first}
            references={references}
            error={isOfSecond ? null : message}
            onChange={(text) => change([text, second])}
          />
          <ValueField
            leaf={leaf}
            label={RULE_FORM.highest}
            value={second}
            references={references}
            error={isOfSecond ? message : null}
            onChange={(text) => change([first, text])}
          />
        </div>
      );
    }
    case 'list':
      return (
        <div className={classes.value}>
          <ValueList leaf={leaf} references={references} error={message} onChange={change} />
        </div>
      );
  }
}
