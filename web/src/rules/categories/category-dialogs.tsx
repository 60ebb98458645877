import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Category } from '#client';
import { categories, categoriesChanged } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { CancelButton, ConfirmDialog, Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Check, Fields } from '../../parts/fields.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { CATEGORIES, DELETING, MOVING } from '../../text/categories.ts';
import { CategorySelect } from '../category-select.tsx';
import { type Asking, type Done, offerUndoOfClaim } from './category-actions.ts';
import { CategoryDialog } from './category-dialog.tsx';
import { ClaimsDialog } from './claims-dialog.tsx';

interface CategoryDialogsProps {
  readonly asking: Asking | null;
  readonly all: readonly Category[];
  readonly onMove: (id: string, group: string) => void;
  readonly tell: (done: Done | null) => void;
  readonly onClose: () => void;
}

/** The question that is open, if any. */
export function CategoryDialogs({ asking, all, onMove, tell, onClose }: CategoryDialogsProps) {
  const queries = useQueryClient();
  const { done } = CATEGORIES;
  const close = (outcome: Done) => {
    onClose();
    tell(outcome);
  };
  switch (asking?.about) {
    case undefined:
      return null;
    case 'group':
      return <CategoryDialog category={null} group={null} onClose={onClose} />;
    case 'category':
      return <CategoryDialog category={null} group={asking.group} onClose={onClose} />;
    case 'edit':
      return <CategoryDialog category={asking.category} group={null} onClose={onClose} />;
    case 'claims':
      return (
        <ClaimsDialog
          category={asking.category}
          all={all}
          onClaimed={(claim) => {
            onClose();
            offerUndoOfClaim(claim, all, () => categoriesChanged(queries));
          }}
          onClose={onClose}
        />
      );
    case 'move': {
      const { category } = asking;
      return (
        <MoveDialog
          category={category}
          groups={all.filter(({ id, parent }) => parent === null && id !== category.parent)}
          onMove={(group) => {
            onClose();
            onMove(category.id, group);
          }}
          onClose={onClose}
        />
      );
    }
    case 'delete': {
      const { category } = asking;
      return (
        <DeleteCategoryDialog
          category={category}
          all={all}
          onDeleted={(text) => close({ title: done.deleted(category.name), text })}
          onClose={onClose}
        />
      );
    }
    case 'reset':
      return (
        <ResetDialog
          count={all.length}
          onReset={() => close({ title: done.reset, text: done.resetText })}
          onClose={onClose}
        />
      );
  }
}

interface ResetDialogProps {
  readonly count: number;
  readonly onReset: () => void;
  readonly onClose: () => void;
}

/** Puts the default categories in place of all there are. */
function ResetDialog({ count, onReset, onClose }: ResetDialogProps) {
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: () => api.categories.reset({ confirm: true }).page(),
    onSuccess: ({ data }) => {
      queries.setQueryData(categories.queryKey, data);
      onReset();
    },
    onSettled: () => categoriesChanged(queries),
  });
  const { title, text, rules, action } = CATEGORIES.resetting;
  return (
    <ConfirmDialog
      title={title}
      action={action}
      busy={reset.isPending}
      onConfirm={reset.mutate}
      onClose={onClose}
    >
      {reset.error === null ? null : <Problem error={reset.error} title={CATEGORIES.failed.reset} />}
      <p>{text(count)}</p>
      {count === 0 ? null : <p>{rules}</p>}
    </ConfirmDialog>
  );
}

interface MoveDialogProps {
  readonly category: Category;
  /** Every group but its own. */
  readonly groups: readonly Category[];
  readonly onMove: (group: string) => void;
  readonly onClose: () => void;
}

/** Moves a category to another group without dragging. */
function MoveDialog({ category, groups, onMove, onClose }: MoveDialogProps) {
  const [group, setGroup] = useState(groups[0]?.id ?? '');
  return (
    <Dialog title={MOVING.title(category.name)} onClose={onClose}>
      <NativeSelect
        label={MOVING.group}
        description={MOVING.hint}
        value={group}
        data={groups.map(({ id, name, icon }) => ({ value: id, label: `${icon} ${name}` }))}
        onChange={({ currentTarget }) => setGroup(currentTarget.value)}
      />
      <DialogActions>
        <CancelButton onClose={onClose} />
        <Button disabled={group === ''} onClick={() => onMove(group)}>
          {MOVING.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface DeleteCategoryDialogProps {
  readonly category: Category;
  readonly all: readonly Category[];
  /** `text`: what happened to its codes. */
  readonly onDeleted: (text: string) => void;
  readonly onClose: () => void;
}

/** What deleting a category or a group will do, and what is to become of the codes it claims. */
function DeleteCategoryDialog({ category, all, onDeleted, onClose }: DeleteCategoryDialogProps) {
  const queries = useQueryClient();
  const choice = useId();
  const members = all.filter(({ parent }) => parent === category.id);
  const claimed = [category, ...members].reduce((sum, { sources }) => sum + sources.length, 0);
  const targets = all.filter(({ id, parent }) => id !== category.id && parent !== category.id);
  const [first] = targets.filter(({ parent }) => parent !== null);
  const [cascade, setCascade] = useState(false);
  const [reassignTo, setReassignTo] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: () =>
      api.categories.delete({
        id: category.id,
        ...(cascade && { cascade }),
        reassign_to: reassignTo ?? undefined,
      }),
    onSuccess: () => {
      const taker = all.find(({ id }) => id === reassignTo);
      if (claimed === 0) return onDeleted('');
      onDeleted(taker === undefined ? CATEGORIES.done.released : CATEGORIES.done.reassigned(taker.name));
    },
    onSettled: () => categoriesChanged(queries),
  });
  return (
    <ConfirmDialog
      title={DELETING.title(category.name)}
      action={DELETING.action}
      busy={remove.isPending}
      onConfirm={remove.mutate}
      onClose={onClose}
    >
      {remove.error === null ? null : (
        <Problem error={remove.error} title={CATEGORIES.failed.delete(category.name)} />
      )}
      <p>{DELETING.cannot}</p>
      {members.length === 0 ? null : (
        <>
          <p>{DELETING.holds(members.length)}</p>
          <Check label={DELETING.cascade(members.length)} checked={cascade} onChange={setCascade} />
        </>
      )}
      {claimed === 0 ? null : (
        <Fields legend={DELETING.after} hint={DELETING.claims(claimed)}>
          <Check
            label={DELETING.release}
            hint={DELETING.releaseHint}
            group={choice}
            checked={reassignTo === null}
            onChange={() => setReassignTo(null)}
          />
          <Check
            label={DELETING.reassign}
            group={choice}
            disabled={first === undefined}
            checked={reassignTo !== null}
            onChange={() => setReassignTo(first?.id ?? null)}
          />
          {reassignTo === null ? null : (
            <CategorySelect
              label={DELETING.target}
              all={targets}
              value={reassignTo}
              onChange={setReassignTo}
            />
          )}
        </Fields>
      )}
      <p>{DELETING.rules}</p>
    </ConfirmDialog>
  );
}
