import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Category } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { MOVING } from '../../text/categories.ts';
import { PROBLEMS } from '../../text/problems.ts';

interface MoveDialogProps {
  readonly category: Category;
  /** Every group but its own. */
  readonly groups: readonly Category[];
  readonly onMove: (group: string) => void;
  readonly onClose: () => void;
}

/** Moves a category to another group without dragging. */
export function MoveDialog({ category, groups, onMove, onClose }: MoveDialogProps) {
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
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button disabled={group === ''} onClick={() => onMove(group)}>
          {MOVING.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
