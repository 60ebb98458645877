import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Ruleset } from '#client';
import { api } from '../../api/client.ts';
import { rulesets, updateRuleset } from '../../api/rulesets.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import { Problem } from '../../parts/page-states.tsx';
import { PROBLEMS } from '../../text/problems.ts';
import { RULESETS } from '../../text/rules.ts';

interface RulesetDialogProps {
  /** What is renamed; null creates. */
  readonly ruleset: Ruleset | null;
  readonly onSaved: (saved: Ruleset) => void;
  readonly onClose: () => void;
}

const NAME_CHARACTERS = 200;
const DESCRIPTION_CHARACTERS = 500;

/** Names a ruleset, or a new one. */
export function RulesetDialog({ ruleset, onSaved, onClose }: RulesetDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(ruleset?.name ?? '');
  const [description, setDescription] = useState(ruleset?.description ?? '');
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
      };
      return ruleset === null ? api.rulesets.create(body) : updateRuleset({ id: ruleset.id, ...body });
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: rulesets.queryKey });
      onSaved(saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const { form: words, failed } = RULESETS;
  return (
    <Dialog title={ruleset === null ? RULESETS.create : words.renameTitle(ruleset.name)} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        {save.error === null ? null : (
          <Problem
            error={save.error}
            title={ruleset === null ? failed.create : failed.change(ruleset.name)}
          />
        )}
        <TextInput
          label={words.name}
          value={name}
          maxLength={NAME_CHARACTERS}
          pattern=".*\S.*"
          required
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={words.description}
          description={words.descriptionHint}
          value={description}
          maxLength={DESCRIPTION_CHARACTERS}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {ruleset === null ? words.create : PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
