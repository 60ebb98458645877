import { useMutation, useQueryClient } from '@tanstack/react-query';
import { categories, categoriesChanged } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { CATEGORIES } from '../../text/categories.ts';

interface ResetDialogProps {
  readonly count: number;
  readonly onReset: () => void;
  readonly onClose: () => void;
}

/** Puts the default categories in place of all there are. */
export function ResetDialog({ count, onReset, onClose }: ResetDialogProps) {
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
