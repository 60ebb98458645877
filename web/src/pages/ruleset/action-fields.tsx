import { NativeSelect, TextInput } from '@mantine/core';
import { REPLACEABLE_FIELDS } from '../../../../src/vocabulary/rule-actions.ts';
import { CategorySelect } from '../../parts/category-select.tsx';
import { Check } from '../../parts/fields.tsx';
import { FIELD_WORDS } from '../../text/rule-words.ts';
import { RULE_FORM } from '../../text/rules.ts';
import type { ActionDraft } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import classes from './ruleset.module.css';
import type { RuleWorld } from './use-rule-world.ts';

interface ActionFieldsProps {
  readonly action: ActionDraft;
  readonly path: string;
  readonly world: RuleWorld;
  readonly error: FieldError | null;
  readonly onChange: (action: ActionDraft) => void;
}

const LABELS = {
  set_description: RULE_FORM.newText,
  set_merchant: RULE_FORM.newText,
  set_memo: RULE_FORM.memo,
  add_tag: RULE_FORM.tag,
} as const;
const NO_CATEGORY = { value: '', label: RULE_FORM.noCategory };

/** What an action takes beside its type. */
export function ActionFields({ action, path, world, error, onChange }: ActionFieldsProps) {
  const { type, value } = action;
  const valueError = errorAt(error, `${path}.value`);
  switch (type) {
    case 'flip_sign':
    case 'skip':
      return null;
    case 'set_category':
      return (
        <CategorySelect
          label={RULE_FORM.category}
          all={world.categories}
          groups
          value={value ?? ''}
          first={NO_CATEGORY}
          error={valueError}
          onChange={(id) => onChange({ ...action, value: id === '' ? null : id })}
        />
      );
    case 'replace_text':
      return (
        <div className={classes.replace}>
          <NativeSelect
            label={RULE_FORM.inField}
            value={action.field}
            data={REPLACEABLE_FIELDS.map((field) => ({ value: field, label: FIELD_WORDS[field] }))}
            onChange={({ currentTarget }) => {
              const field = REPLACEABLE_FIELDS.find((one) => one === currentTarget.value);
              if (field !== undefined) onChange({ ...action, field });
            }}
          />
          <TextInput
            label={RULE_FORM.find}
            value={action.find}
            error={errorAt(error, `${path}.find`)}
            onChange={({ currentTarget }) => onChange({ ...action, find: currentTarget.value })}
          />
          <TextInput
            label={RULE_FORM.replaceWith}
            placeholder={RULE_FORM.replaceHint}
            value={value ?? ''}
            error={valueError}
            onChange={({ currentTarget }) => onChange({ ...action, value: currentTarget.value })}
          />
          <Check
            label={RULE_FORM.caseSensitive}
            checked={action.caseSensitive}
            onChange={(caseSensitive) => onChange({ ...action, caseSensitive })}
          />
        </div>
      );
    default:
      return (
        <TextInput
          label={LABELS[type]}
          value={value ?? ''}
          error={valueError}
          onChange={({ currentTarget }) => onChange({ ...action, value: currentTarget.value })}
        />
      );
  }
}
