import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { RULE_FIELDS, type RuleOperator, wordsOf } from '../../../../src/vocabulary/rule-fields.ts';
import { accountNames } from '../../format/account-names.ts';
import { Icon } from '../../parts/icon.tsx';
import { keyed } from '../../parts/keyed.ts';
import { VALUE_WORDS } from '../../text/rule-words.ts';
import { RULE_FORM } from '../../text/rules.ts';
import { CategorySelect } from '../category-select.tsx';
import type { LeafDraft } from './draft.ts';
import classes from './ruleset.module.css';
import type { RuleReferences } from './use-rule-references.ts';

interface ValueListProps {
  readonly leaf: LeafDraft;
  readonly references: RuleReferences;
  readonly error: string | null;
  readonly onChange: (values: readonly string[]) => void;
}

/** Several values: those that are there, and a field for the next one. */
export function ValueList({ leaf, references, error, onChange }: ValueListProps) {
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
    if (RULE_FIELDS[leaf.field].kind === 'category') return references.names.category(value);
    return choicesOf(leaf, references)?.find((choice) => choice.value === value)?.label ?? value;
  };
  return (
    <div className={classes.list}>
      {values.length === 0 ? null : (
        <ul className={classes.chips} aria-label={RULE_FORM.values}>
          {keyed(values, (value) => value).map(([key, value]) => (
            <li key={key} className={classes.chip}>
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
          references={references}
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

interface ValueFieldProps {
  readonly leaf: LeafDraft;
  readonly label: string;
  readonly value: string;
  readonly references: RuleReferences;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

const UNCHOSEN = { value: '', label: RULE_FORM.choose };

/** One value of the field's kind: chosen where there is a choice, else written. */
export function ValueField({ leaf, label, value, references, error, onChange }: ValueFieldProps) {
  const { kind } = RULE_FIELDS[leaf.field];
  if (kind === 'category') {
    return (
      <CategorySelect
        label={label}
        all={references.categories}
        groups
        value={value}
        first={UNCHOSEN}
        error={error}
        onChange={onChange}
      />
    );
  }
  const choices = choicesOf(leaf, references);
  if (choices !== null) {
    return (
      <NativeSelect
        label={label}
        value={value}
        data={[...(kind === 'word' && value !== '' ? [] : [UNCHOSEN]), ...choices]}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      label={label}
      type={kind === 'day' ? 'date' : 'text'}
      inputMode={kind === 'amount' ? 'decimal' : 'text'}
      placeholder={hintOf(kind, leaf.operator)}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** What the field's values are chosen from, or null if they are written. */
function choicesOf({ field, operator }: LeafDraft, { accounts, codes }: RuleReferences) {
  const { kind } = RULE_FIELDS[field];
  if (kind === 'word') return wordsOf(field).map((value) => ({ value, label: VALUE_WORDS[value] ?? value }));
  if (kind === 'account') {
    const names = accountNames(accounts);
    return accounts.map(({ id, name, institution }) => ({
      value: id,
      label: `${names.get(id) ?? name} · ${institution.name}`,
    }));
  }
  if (field !== 'provider_category' || operator === 'starts_with') return null;
  const primaries = new Map(codes.map(({ code, label }) => [code, label]));
  return codes.map(({ code, label, parent }) => ({
    value: code,
    label: parent === null ? label : `${primaries.get(parent) ?? parent} › ${label}`,
  }));
}

function hintOf(
  kind: (typeof RULE_FIELDS)[keyof typeof RULE_FIELDS]['kind'],
  operator: RuleOperator,
): string {
  if (operator === 'matches') return RULE_FORM.patternHint;
  if (kind === 'amount') return RULE_FORM.amountHint;
  if (kind === 'currency') return RULE_FORM.currencyHint;
  return kind === 'code' ? RULE_FORM.codeHint : '';
}
