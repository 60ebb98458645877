import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Sync } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { api } from '../../api/client.ts';
import { dayText } from '../../format/moments.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RESYNC, SYNCS } from '../../text/syncs.ts';
import classes from './sync.module.css';

interface ResyncDialogProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

/** Says what a resync does before it does it, and then follows the run. */
export function ResyncDialog({ sync: { id, name, options, destination }, onClose }: ResyncDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => api.syncs.resync({ id, confirm: true }),
    onSuccess: (run) => navigate({ to: PATHS.syncRun, params: { id: run.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['syncs'] }),
  });
  return (
    <ConfirmDialog
      title={RESYNC.title(name)}
      action={RESYNC.action}
      busy={start.isPending}
      onConfirm={start.mutate}
      onClose={onClose}
    >
      {start.error === null ? null : <Problem error={start.error} title={SYNCS.failed.resync(name)} />}
      <p>{RESYNC.does(dayText(options.data_from))}</p>
      <ul className={classes.does}>
        <li>{DESTINATION_KINDS[destination.type].connects === 'url' ? RESYNC.webhook : RESYNC.known}</li>
        <li>{RESYNC.run}</li>
      </ul>
    </ConfirmDialog>
  );
}
