import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { Check, Fields } from '../parts/fields.tsx';
import { Problem } from '../parts/page-states.tsx';
import { NEW_DESTINATION } from '../text/new-destination.ts';
import classes from './destinations.module.css';
import { actualSecret } from './server-address.ts';

interface ActualFieldsProps {
  /** Null until everything is filled in. */
  readonly onChange: (secret: string | null) => void;
  readonly complain: boolean;
}

const NOTHING = { server: '', word: '', isToken: false, encryptionPassword: '' };

/** How to sign in to a sync server of Actual. */
function ActualFields({ onChange, complain }: ActualFieldsProps) {
  const [access, setAccess] = useState(NOTHING);
  const group = useId();
  const { actual, webhook } = NEW_DESTINATION;
  const change = (part: Partial<typeof NOTHING>) => {
    const changed = { ...access, ...part };
    setAccess(changed);
    onChange(changed.word === '' ? null : actualSecret(changed));
  };
  const serverWrong = actualSecret(access) === null;
  return (
    <>
      <TextInput
        label={actual.server}
        description={actual.serverHint}
        inputMode="url"
        autoComplete="off"
        value={access.server}
        error={complain && serverWrong ? actual.serverInvalid : undefined}
        onChange={({ currentTarget }) => change({ server: currentTarget.value })}
      />
      <Fields legend={actual.signIn}>
        <Check
          group={group}
          label={actual.withPassword}
          checked={!access.isToken}
          onChange={() => change({ isToken: false })}
        />
        <Check
          group={group}
          label={actual.withToken}
          hint={actual.withTokenHint}
          checked={access.isToken}
          onChange={() => change({ isToken: true })}
        />
      </Fields>
      <TextInput
        label={access.isToken ? actual.token : actual.password}
        type="password"
        autoComplete="off"
        value={access.word}
        error={complain && access.word === '' ? webhook.missing : undefined}
        onChange={({ currentTarget }) => change({ word: currentTarget.value })}
      />
      <TextInput
        label={actual.encryption}
        description={actual.encryptionHint}
        type="password"
        autoComplete="off"
        value={access.encryptionPassword}
        onChange={({ currentTarget }) => change({ encryptionPassword: currentTarget.value })}
      />
    </>
  );
}

interface SecretFormProps {
  readonly type: Destination['type'];
  readonly action: string;
  /** The message if the secret is refused. */
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
