import { ActionIcon, Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { RULE_FIELDS } from '../../../../src/vocabulary/rule-fields.ts';
import { Icon } from '../../parts/icon.tsx';
import { RULE_FORM } from '../../text/rules.ts';
import type { LeafDraft } from './draft.ts';
import classes from './ruleset.module.css';
import type { RuleWorld } from './use-rule-world.ts';
import { choicesOf, ValueField } from './value-field.tsx';

interface ValueListProps {
  readonly leaf: LeafDraft;
  readonly world: RuleWorld;
  readonly error: string | null;
  readonly onChange: (values: readonly string[]) => void;
}

/** Several values: those that are there, and a field for the next one. */
export function ValueList({ leaf, world, error, onChange }: ValueListProps) {
  const [next, setNext] = useState('');
  const values = leaf.texts.filter((text) => text !== '');
  const add = () => {
    if (next !== '' && !values.includes(next)) onChange([...values, next]);
    setNext('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter adds the value here, and does not send the form.
    event.preventDefault();
    add();
  };
  const nameOf = (value: string) => {
    if (RULE_FIELDS[leaf.field].kind === 'category') return world.names.category(value);
    return choicesOf(leaf, world)?.find((choice) => choice.value === value)?.label ?? value;
  };
  return (
    <div className={classes.list}>
      {values.length === 0 ? null : (
        <ul className={classes.chips} aria-label={RULE_FORM.values}>
          {values.map((value) => (
            <li key={value} className={classes.chip}>
              {nameOf(value)}
              <ActionIcon
                variant="transparent"
                color="gray"
                size="sm"
                aria-label={RULE_FORM.removeValue(nameOf(value))}
                onClick={() => onChange(values.filter((one) => one !== value))}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <fieldset
        className={classes.adding}
        onKeyDown={onKeyDown}
        onBlur={add}
        aria-label={RULE_FORM.nextValue}
      >
        <ValueField
          leaf={leaf}
          label={RULE_FORM.nextValue}
          value={next}
          world={world}
          error={error}
          onChange={setNext}
        />
        <Button variant="default" onClick={add}>
          {RULE_FORM.addValue}
        </Button>
      </fieldset>
    </div>
  );
}
