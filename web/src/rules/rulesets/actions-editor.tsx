import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import {
  isRuleActionType,
  REPLACEABLE_FIELDS,
  RULE_ACTION_TYPES,
} from '../../../../src/vocabulary/rule-actions.ts';
import { Check } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FIELD_WORDS } from '../../text/rule-words.ts';
import { RULE_FORM } from '../../text/rules.ts';
import { CategorySelect } from '../category-select.tsx';
import { type ActionDraft, newAction } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import classes from './ruleset.module.css';
import type { RuleReferences } from './use-rule-references.ts';

interface ActionsEditorProps {
  readonly actions: readonly ActionDraft[];
  readonly references: RuleReferences;
  readonly error: FieldError | null;
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

/** What a rule does to the rows it acts on, in order. */
export function ActionsEditor({ actions, references, error, onChange }: ActionsEditorProps) {
  const isOfOne = actions.some((_, at) => errorAt(error, `actions[${at}]`) !== null);
  const general = isOfOne ? null : errorAt(error, 'actions');
  return (
    <>
      {actions.map((action, at) => (
        <ActionEditor
          key={action.key}
          action={action}
          at={at}
          references={references}
          error={error}
          onChange={(changed) => onChange(actions.with(at, changed))}
          onRemove={() => onChange(actions.toSpliced(at, 1))}
        />
      ))}
      {general === null ? null : (
        <p className={classes.fault} role="alert">
          {general}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...actions, newAction('add_tag')])}
        >
          {RULE_FORM.addAction}
        </Button>
      </div>
    </>
  );
}

interface ActionEditorProps extends Pick<ActionsEditorProps, 'references' | 'error'> {
  readonly action: ActionDraft;
  readonly at: number;
  readonly onChange: (action: ActionDraft) => void;
  readonly onRemove: () => void;
}

function ActionEditor({ action, at, references, error, onChange, onRemove }: ActionEditorProps) {
  const path = `actions[${at}]`;
  const isOfMember = ['value', 'find', 'field'].some((name) => errorAt(error, `${path}.${name}`) !== null);
  const general = isOfMember ? null : errorAt(error, path);
  return (
    <fieldset className={classes.leaf}>
      <legend className={classes.legend}>{RULE_FORM.action(at + 1)}</legend>
      <div className={classes.actionFields}>
        <NativeSelect
          label={RULE_FORM.actionType}
          value={action.type}
          data={RULE_ACTION_TYPES.map((type) => ({ value: type, label: RULE_FORM.types[type] }))}
          onChange={({ currentTarget: { value } }) => {
            if (isRuleActionType(value)) onChange({ ...newAction(value), key: action.key });
          }}
        />
        <div className={classes.value}>
          <ActionFields
            action={action}
            path={path}
            references={references}
            error={error}
            onChange={onChange}
          />
        </div>
        <ActionIcon
          className={classes.menu ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={RULE_FORM.removeAction(at + 1)}
          onClick={onRemove}
        >
          <Icon name="close" />
        </ActionIcon>
      </div>
      {general === null ? null : (
        <p className={classes.fault} role="alert">
          {general}
        </p>
      )}
    </fieldset>
  );
}

interface ActionFieldsProps {
  readonly action: ActionDraft;
  readonly path: string;
  readonly references: RuleReferences;
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
function ActionFields({ action, path, references, error, onChange }: ActionFieldsProps) {
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
          all={references.categories}
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
