import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Sync, WebhookReplay } from '#client';
import { api } from '../api/client.ts';
import { dayIn } from '../format/moments.ts';
import { CancelButton, Dialog, DialogActions } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';
import { DELIVERIES } from '../text/webhook-deliveries.ts';
import classes from './destinations.module.css';

interface ReplayDialogProps {
  /** Those that write to the webhook; at least one. */
  readonly syncs: readonly Sync[];
  readonly zone: string;
  readonly onDone: (replay: WebhookReplay) => unknown;
  readonly onClose: () => void;
}

const DAYS_BACK = 7;

/** Sends what a webhook received of a range of days again. */
export function ReplayDialog({ syncs, zone, onDone, onClose }: ReplayDialogProps) {
  const today = dayIn(zone);
  const [sync, setSync] = useState(syncs[0]?.id ?? '');
  const [from, setFrom] = useState(dayIn(zone, -DAYS_BACK));
  const [to, setTo] = useState(today);
  const [complain, setComplain] = useState(false);
  const replay = useMutation({
    mutationFn: () => api.syncs.replay({ id: sync, from, to }),
    onSuccess: onDone,
  });
  const words = DELIVERIES.window;
  const problemOf = (day: string) => (day === '' ? words.missing : from > to ? words.order : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = (problemOf(from) ?? problemOf(to)) !== undefined;
    setComplain(wrong);
    if (!wrong) replay.mutate();
  };
  return (
    <Dialog continues={replay.isPending} title={words.title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>{words.text}</p>
        <p>{DELIVERIES.resend.upsert}</p>
        {syncs.length < 2 ? null : (
          <NativeSelect
            label={words.sync}
            value={sync}
            data={syncs.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) => setSync(currentTarget.value)}
          />
        )}
        <div className={classes.days}>
          <TextInput
            type="date"
            label={words.from}
            value={from}
            max={today}
            error={complain ? problemOf(from) : undefined}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="date"
            label={words.to}
            value={to}
            max={today}
            error={complain && to === '' ? words.missing : undefined}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </div>
        {replay.error === null ? null : <Problem error={replay.error} title={words.failed} />}
        <p role="status">{replay.isPending ? DELIVERIES.resend.working : ''}</p>
        <DialogActions>
          <CancelButton onClose={onClose} label={replay.isPending ? PROBLEMS.close : PROBLEMS.cancel} />
          <Button type="submit" loading={replay.isPending}>
            {words.action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
