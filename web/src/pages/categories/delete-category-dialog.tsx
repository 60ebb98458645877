import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Category } from '#client';
import { categoriesChanged } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { CategorySelect } from '../../parts/category-select.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Check, Fields } from '../../parts/fields.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { CATEGORIES, DELETING } from '../../text/categories.ts';

interface DeleteCategoryDialogProps {
  readonly category: Category;
  readonly all: readonly Category[];
  /** `text`: what became of its codes. */
  readonly onDeleted: (text: string) => void;
  readonly onClose: () => void;
}

/** What deleting a category or a group will do, and what is to become of the codes it claims. */
export function DeleteCategoryDialog({ category, all, onDeleted, onClose }: DeleteCategoryDialogProps) {
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
