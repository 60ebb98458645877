import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { isRuleActionType, RULE_ACTION_TYPES } from '../../../../src/vocabulary/rule-actions.ts';
import { Icon } from '../../parts/icon.tsx';
import { RULE_FORM } from '../../text/rules.ts';
import { ActionFields } from './action-fields.tsx';
import { type ActionDraft, newAction } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import classes from './ruleset.module.css';
import type { RuleWorld } from './use-rule-world.ts';

interface ActionsEditorProps {
  readonly actions: readonly ActionDraft[];
  readonly world: RuleWorld;
  readonly error: FieldError | null;
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

/** What a rule does to the rows it acts on, in order. */
export function ActionsEditor({ actions, world, error, onChange }: ActionsEditorProps) {
  const isOfOne = actions.some((_, at) => errorAt(error, `actions[${at}]`) !== null);
  const general = isOfOne ? null : errorAt(error, 'actions');
  return (
    <>
      {actions.map((action, at) => (
        <ActionEditor
          key={action.key}
          action={action}
          at={at}
          world={world}
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

interface ActionEditorProps extends Pick<ActionsEditorProps, 'world' | 'error'> {
  readonly action: ActionDraft;
  readonly at: number;
  readonly onChange: (action: ActionDraft) => void;
  readonly onRemove: () => void;
}

function ActionEditor({ action, at, world, error, onChange, onRemove }: ActionEditorProps) {
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
          <ActionFields action={action} path={path} world={world} error={error} onChange={onChange} />
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
