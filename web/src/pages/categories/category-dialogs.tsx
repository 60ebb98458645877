import type { Category } from '#client';
import { CATEGORIES } from '../../text/categories.ts';
import type { Asking } from './category-actions.ts';
import { CategoryDialog } from './category-dialog.tsx';
import { ClaimsDialog } from './claims-dialog.tsx';
import { DeleteCategoryDialog } from './delete-category-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { claimedText, type Done } from './use-category-changes.ts';

interface CategoryDialogsProps {
  readonly asking: Asking | null;
  readonly all: readonly Category[];
  readonly onMove: (id: string, group: string) => void;
  readonly tell: (done: Done | null) => void;
  readonly onClose: () => void;
}

/** The question that is open, if any. */
export function CategoryDialogs({ asking, all, onMove, tell, onClose }: CategoryDialogsProps) {
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
          onClaimed={(claimed) => close(claimedText(claimed, all))}
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
