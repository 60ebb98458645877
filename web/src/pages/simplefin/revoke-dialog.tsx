import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';

interface RevokeDialogProps {
  readonly words: typeof SIMPLEFIN.revokingApp | typeof SIMPLEFIN.revokingToken;
  readonly name: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ words, name, busy, error, onConfirm, onClose }: RevokeDialogProps) {
  return (
    <ConfirmDialog
      title={words.title(name)}
      action={SIMPLEFIN.revoke}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={SIMPLEFIN.failedRevoke(name)} />}
      <p>{words.text}</p>
    </ConfirmDialog>
  );
}
