import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { SYNCS } from '../../text/syncs.ts';
import classes from './syncs.module.css';

interface DeleteSyncDialogProps {
  readonly name: string;
  readonly destination: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function DeleteSyncDialog({ name, destination, ...dialog }: DeleteSyncDialogProps) {
  const { title, does, history, stops, stays, again } = SYNCS.deleting;
  return (
    <ConfirmDialog title={title(name)} action={SYNCS.delete} {...dialog}>
      <p>{does}</p>
      <ul className={classes.does}>
        <li>{history}</li>
        <li>{stops}</li>
      </ul>
      <p>{stays(destination)}</p>
      <p>{again}</p>
    </ConfirmDialog>
  );
}
