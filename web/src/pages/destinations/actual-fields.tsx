import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { Check } from '../../parts/check.tsx';
import { Fields } from '../../parts/fields.tsx';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import { actualSecret } from './server-address.ts';

interface ActualFieldsProps {
  /** Null until everything is filled in. */
  readonly onChange: (secret: string | null) => void;
  readonly complain: boolean;
}

const NOTHING = { server: '', word: '', isToken: false, encryptionPassword: '' };

/** The way into a sync server of Actual. */
export function ActualFields({ onChange, complain }: ActualFieldsProps) {
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
