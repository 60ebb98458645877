import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { Problem } from '../../parts/problem.tsx';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import { ActualFields } from './actual-fields.tsx';
import classes from './destinations.module.css';

interface SecretFormProps {
  readonly type: Destination['type'];
  readonly action: string;
  /** What is said where the secret is refused. */
  readonly failed: string;
  readonly save: (secret: string) => Promise<Destination>;
  readonly onDone: (saved: Destination) => void;
  readonly beside?: ReactNode;
}

/** Credentials for a server of the person's own. They go to the service and are never shown again. */
export function SecretForm({ type, action, failed, save, onDone, beside }: SecretFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [complain, setComplain] = useState(false);
  // Its variables are the credentials: nothing of them is held once the form is gone.
  const connect = useMutation({ mutationFn: save, onSuccess: onDone, gcTime: 0 });
  const { postgres, webhook } = NEW_DESTINATION;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setComplain(secret === null);
    if (secret !== null) connect.mutate(secret);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {DESTINATION_KINDS[type].secret === 'server_sign_in' ? (
        <ActualFields onChange={setSecret} complain={complain} />
      ) : (
        <TextInput
          label={postgres.address}
          description={postgres.addressHint}
          autoComplete="off"
          spellCheck={false}
          value={secret ?? ''}
          error={complain && secret === null ? webhook.missing : undefined}
          onChange={({ currentTarget }) =>
            setSecret(currentTarget.value.trim() === '' ? null : currentTarget.value)
          }
        />
      )}
      <p className={classes.muted}>{postgres.stored}</p>
      {connect.error === null ? null : <Problem error={connect.error} title={failed} />}
      <div className={classes.actions}>
        {beside}
        <Button type="submit" loading={connect.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
