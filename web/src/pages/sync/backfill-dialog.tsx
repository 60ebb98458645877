import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Sync } from '#client';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { dayIn, dayText } from '../../format/moments.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { BACKFILL, SYNCS } from '../../text/syncs.ts';
import classes from './sync.module.css';

interface BackfillDialogProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

const DAYS = 30;

/** Reads a range of days again, and then follows the run. */
export function BackfillDialog({ sync: { id, name, options }, onClose }: BackfillDialogProps) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const first = options.data_from;
  const usual = dayIn(zone, -DAYS);
  const [from, setFrom] = useState(usual < first ? first : usual);
  const [to, setTo] = useState(dayIn(zone));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => api.syncs.backfill({ id, from, to }),
    onSuccess: (run) => navigate({ to: PATHS.syncRun, params: { id: run.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['syncs'] }),
  });
  const wrong = from > to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong) start.mutate();
  };
  return (
    <Dialog title={BACKFILL.title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {start.error === null ? null : <Problem error={start.error} title={SYNCS.failed.backfill(name)} />}
        <p>{BACKFILL.intro}</p>
        <div className={classes.days}>
          <TextInput
            type="date"
            label={BACKFILL.from}
            value={from}
            min={first}
            error={wrong ? BACKFILL.order : undefined}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="date"
            label={BACKFILL.to}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </div>
        <p className={classes.hint}>{BACKFILL.hint(dayText(first))}</p>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={start.isPending} disabled={wrong || from === '' || to === ''}>
            {BACKFILL.action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
