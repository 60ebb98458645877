import { Button } from '@mantine/core';
import type { WebhookDelivery } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PROBLEMS } from '../../text/problems.ts';
import { DELIVERIES } from '../../text/webhook-deliveries.ts';
import classes from './destinations.module.css';

interface ResendDialogProps {
  readonly delivery: WebhookDelivery;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What sending an event again does, before it is done. */
export function ResendDialog({ delivery, busy, error, onConfirm, onClose }: ResendDialogProps) {
  const { resend } = DELIVERIES;
  return (
    <Dialog title={resend.title} onClose={onClose}>
      <div className={classes.stack}>
        <p className={classes.muted}>{`${DELIVERIES.event}: ${delivery.event}`}</p>
        <p>{resend.text}</p>
        <p>{resend.upsert}</p>
        {error === null ? null : <Problem error={error} title={resend.failed} />}
        <p role="status">{busy ? resend.working : ''}</p>
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {busy ? PROBLEMS.close : PROBLEMS.cancel}
        </Button>
        <Button loading={busy} onClick={onConfirm}>
          {resend.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
