import type { ApiKey } from '#client';
import { agoText } from '../../format/moments.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { API_KEYS } from '../../text/api-keys.ts';
import classes from '../developer/developer.module.css';

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What revoking a key will do, before it is done. */
export function RevokeDialog({ apiKey, busy, error, onConfirm, onClose }: RevokeDialogProps) {
  const words = API_KEYS.revoking;
  const { name, prefix, last_used_at: used } = apiKey;
  return (
    <ConfirmDialog
      title={words.title(name)}
      action={words.action}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={API_KEYS.failed.revoke(name)} />}
      <p>{words.does}</p>
      <ul className={classes.consequences}>
        <li>{words.stop(prefix)}</li>
        <li>{used === null ? words.unused : words.used(agoText(used))}</li>
        <li>{words.keep}</li>
      </ul>
    </ConfirmDialog>
  );
}
