import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Ruleset } from '#client';
import { api } from '../../api/client.ts';
import { rulesets, updateRuleset } from '../../api/rulesets.ts';
import { syncs } from '../../api/syncs.ts';
import { CancelButton, ConfirmDialog, Dialog, DialogActions } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { useStillHere } from '../../parts/still-here.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { RULESETS } from '../../text/rules.ts';
import classes from './ruleset.module.css';

interface RulesetActions {
  readonly busy: boolean;
  readonly rename: () => void;
  readonly toggle: () => void;
  readonly duplicate: () => void;
  readonly askToDelete: () => void;
  /** The result of the last action, to show above its subject. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with a ruleset, and how it goes. `onDeleted` runs once it is gone, wherever the person is by then. */
export function useRulesetActions(
  ruleset: Ruleset,
  onDeleted?: (isHere: () => boolean) => void,
): RulesetActions {
  const { id, name, enabled } = ruleset;
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'name' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: rulesets.queryKey });
  const toggle = useMutation({ mutationFn: () => updateRuleset({ id, enabled: !enabled }), onSettled });
  const duplicate = useMutation({ mutationFn: () => api.rulesets.duplicate({ id }), onSettled });
  const stillHere = useStillHere();
  const remove = useMutation({
    mutationFn: () => api.rulesets.delete({ id }),
    onMutate: stillHere,
    onSuccess: async (_, _asked, isHere) => {
      queries.setQueryData(rulesets.queryKey, (known) => known?.filter((one) => one.id !== id));
      await queries.invalidateQueries({ queryKey: syncs.queryKey });
      onDeleted?.(isHere);
    },
    onSettled: () => {
      close();
      return queries.invalidateQueries({ queryKey: rulesets.queryKey, exact: true });
    },
  });

  const { failed, done } = RULESETS;
  const failures = [
    { error: toggle.error, title: failed.change(name) },
    { error: duplicate.error, title: failed.duplicate(name) },
    { error: remove.error, title: failed.delete(name) },
  ].filter(({ error }) => error !== null);
  const outcome =
    failures.length > 0 ? (
      failures.map(({ error, title }) => <Problem key={title} error={error} title={title} />)
    ) : duplicate.data === undefined ? null : (
      <Notice
        tone="good"
        title={done.duplicated(duplicate.data.name)}
        text={done.duplicatedText}
        onClose={duplicate.reset}
      />
    );
  const start = (action: () => void) => () => {
    for (const one of [toggle, duplicate, remove]) one.reset();
    action();
  };
  return {
    busy: toggle.isPending || duplicate.isPending,
    rename: start(() => setAsking('name')),
    toggle: start(toggle.mutate),
    duplicate: start(duplicate.mutate),
    askToDelete: start(() => setAsking('delete')),
    outcome,
    dialog:
      asking === 'name' ? (
        <RulesetDialog ruleset={ruleset} onSaved={close} onClose={close} />
      ) : asking === 'delete' ? (
        <DeleteRulesetDialog
          ruleset={ruleset}
          busy={remove.isPending}
          onConfirm={remove.mutate}
          onClose={close}
        />
      ) : null,
  };
}

interface DeleteRulesetDialogProps {
  readonly ruleset: Ruleset;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What deleting a ruleset will do, by name, before it is done. */
function DeleteRulesetDialog({ ruleset, busy, onConfirm, onClose }: DeleteRulesetDialogProps) {
  const { data = [] } = useQuery(syncs);
  const names = data.filter(({ rulesets }) => rulesets.includes(ruleset.id)).map(({ name }) => name);
  const { deleting } = RULESETS;
  return (
    <ConfirmDialog
      title={deleting.title(ruleset.name)}
      action={RULESETS.delete}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{deleting.text(ruleset.rule_count)}</p>
      {names.length === 0 ? null : <p>{deleting.detaches(names)}</p>}
      <p>{deleting.stays}</p>
    </ConfirmDialog>
  );
}

interface RulesetMenuProps {
  readonly ruleset: Ruleset;
  readonly actions: RulesetActions;
}

/** Everything that can be done with a ruleset. */
export function RulesetMenu({ ruleset, actions }: RulesetMenuProps) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          className={classes.menu ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          loading={actions.busy}
          aria-label={RULESETS.actionsOf(ruleset.name)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={actions.rename}>{RULESETS.rename}</Menu.Item>
        <Menu.Item onClick={actions.toggle}>{ruleset.enabled ? RULESETS.turnOff : RULESETS.turnOn}</Menu.Item>
        <Menu.Item onClick={actions.duplicate}>{RULESETS.duplicate}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.askToDelete}>
          {RULESETS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

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
  const stillHere = useStillHere();
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
      };
      return ruleset === null ? api.rulesets.create(body) : updateRuleset({ id: ruleset.id, ...body });
    },
    onMutate: stillHere,
    onSuccess: async (saved, _, isHere) => {
      await queries.invalidateQueries({ queryKey: rulesets.queryKey });
      if (isHere()) onSaved(saved);
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
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={save.isPending}>
            {ruleset === null ? words.create : PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
