import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { EVENT_DESTINATIONS } from '../../text/event-destinations.ts';

export type Question = 'disable' | 'rotate' | 'delete';

interface DestinationDialogProps {
  readonly question: Question;
  readonly name: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const WORDS = {
  disable: EVENT_DESTINATIONS.disabling,
  rotate: EVENT_DESTINATIONS.rotating,
  delete: EVENT_DESTINATIONS.deleting,
} as const;
const FAILED = {
  disable: EVENT_DESTINATIONS.failed.switch,
  rotate: () => EVENT_DESTINATIONS.failed.rotate,
  delete: EVENT_DESTINATIONS.failed.delete,
} as const;

/** What the step will do, before it is done. */
export function DestinationDialog({
  question,
  name,
  busy,
  error,
  onConfirm,
  onClose,
}: DestinationDialogProps) {
  const { title, text } = WORDS[question];
  return (
    <ConfirmDialog
      title={title(name)}
      action={EVENT_DESTINATIONS[question]}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={FAILED[question](name)} />}
      <p>{text}</p>
    </ConfirmDialog>
  );
}
