import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Rule, Ruleset } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { rulesets } from '../../api/rulesets.ts';
import { Card } from '../../parts/card.tsx';
import { Check } from '../../parts/fields.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { useStillHere } from '../../parts/still-here.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { RULE_FORM } from '../../text/rules.ts';
import { ActionsEditor } from './actions-editor.tsx';
import { bodyOf, draftOf, emptyDraft, type RuleDraft } from './draft.ts';
import { errorAt, type FieldError, fieldErrorOf } from './field-errors.ts';
import { GroupEditor } from './group-editor.tsx';
import { PreviewCard } from './preview-card.tsx';
import { ruleReading } from './reading.ts';
import { nameOf } from './rule-order.ts';
import classes from './ruleset.module.css';
import { type RuleReferences, useRuleReferences } from './use-rule-references.ts';

interface RuleEditorProps {
  readonly ruleset: Ruleset;
  /** Null for a new one. */
  readonly rule: Rule | null;
}

const NAME_CHARACTERS = 200;

/** Builds a rule, reads it out, and tries it on real rows among the others before it is saved. */
export function RuleEditor({ ruleset, rule }: RuleEditorProps) {
  const { id } = ruleset;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const references = useRuleReferences();
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === null ? emptyDraft() : draftOf(rule)));
  const [previewError, setPreviewError] = useState<unknown>(null);
  const body = bodyOf(draft);
  const others = ruleset.rules ?? [];
  const place = rule === null ? others.length : others.indexOf(rule);
  const stillHere = useStillHere();
  const save = useMutation({
    mutationFn: () =>
      rule === null
        ? api.rulesets.createRule({ id, ...body })
        : api.rulesets.updateRule({ id, rule: rule.id, ...body }),
    onMutate: () => {
      setPreviewError(null);
      return stillHere();
    },
    onSuccess: async (_, _asked, isHere) => {
      await queries.invalidateQueries({ queryKey: rulesets.queryKey });
      if (isHere()) await navigate({ to: APP_PATHS.ruleset, params: { id } });
    },
  });
  const refused = save.error ?? previewError;
  const fieldError = fieldErrorOf(refused, place);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused === null) return;
    // What is wrong may be far above the button that was pressed.
    const field = form.current?.querySelector('[aria-invalid="true"]');
    if (field instanceof HTMLElement) field.focus();
  }, [refused]);
  const change = (changed: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const title = rule === null ? RULE_FORM.newRule : RULE_FORM.editRule(nameOf(others, place));
  return (
    <>
      <Back to={APP_PATHS.ruleset} params={{ id }}>
        {ruleset.name}
      </Back>
      <Page title={title}>
        <form ref={form} onSubmit={submit}>
          <Card title={RULE_FORM.conditions}>
            <div className={classes.form}>
              <ConditionsEditor draft={draft} references={references} error={fieldError} onChange={change} />
            </div>
          </Card>
          <Card title={RULE_FORM.actions}>
            <div className={classes.form}>
              <ActionsEditor
                actions={draft.actions}
                references={references}
                error={fieldError}
                onChange={(actions) => change({ actions })}
              />
              <Check
                label={RULE_FORM.stop}
                hint={RULE_FORM.stopHint}
                checked={draft.stop}
                onChange={(stop) => change({ stop })}
              />
            </div>
          </Card>
          <Card title={RULE_FORM.reading}>
            <div className={classes.form}>
              <p className={classes.sentence}>{ruleReading(body, references.names)}</p>
              <TextInput
                label={RULE_FORM.name}
                description={RULE_FORM.nameHint}
                value={draft.name}
                maxLength={NAME_CHARACTERS}
                error={errorAt(fieldError, 'name')}
                onChange={({ currentTarget }) => change({ name: currentTarget.value })}
              />
              <Check
                label={RULE_FORM.enabled}
                checked={draft.enabled}
                onChange={(enabled) => change({ enabled })}
              />
              {save.error === null ? null : <Problem error={save.error} title={RULE_FORM.failed} />}
              <div className={classes.buttons}>
                <Button type="submit" loading={save.isPending}>
                  {rule === null ? RULE_FORM.create : PROBLEMS.save}
                </Button>
                <Button variant="default" onClick={() => navigate({ to: APP_PATHS.ruleset, params: { id } })}>
                  {PROBLEMS.cancel}
                </Button>
              </div>
            </div>
          </Card>
        </form>
        <PreviewCard
          ruleset={id}
          rules={[...others.slice(0, place), body, ...others.slice(rule === null ? place : place + 1)]}
          place={place}
          onError={(error) => {
            save.reset();
            setPreviewError(error);
          }}
        />
      </Page>
    </>
  );
}

interface ConditionsEditorProps {
  readonly draft: RuleDraft;
  readonly references: RuleReferences;
  readonly error: FieldError | null;
  readonly onChange: (changed: Partial<RuleDraft>) => void;
}

/** Which rows a rule acts on: every one, or those that match a tree of conditions. */
function ConditionsEditor({ draft, references, error, onChange }: ConditionsEditorProps) {
  const choice = useId();
  return (
    <>
      <div>
        <Check
          label={RULE_FORM.some}
          group={choice}
          checked={!draft.everyRow}
          onChange={() => onChange({ everyRow: false })}
        />
        <Check
          label={RULE_FORM.every}
          group={choice}
          checked={draft.everyRow}
          onChange={() => onChange({ everyRow: true })}
        />
      </div>
      {draft.everyRow ? null : (
        <GroupEditor
          group={draft.root}
          name={null}
          path="conditions"
          references={references}
          error={error}
          onChange={(root) => onChange({ root })}
          onRemove={null}
        />
      )}
    </>
  );
}
