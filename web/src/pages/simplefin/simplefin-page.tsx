import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { SIMPLEFIN } from '../../text/simplefin.ts';
import classes from '../developer/developer.module.css';
import { DeveloperPage } from '../developer/developer-page.tsx';
import { AppCard } from './app-card.tsx';
import { HowCard } from './how-card.tsx';
import { ProgramDialog } from './program-dialog.tsx';
import { type ProgramFields, setupTokens } from './programs.ts';
import { SetupTokenCard } from './setup-token-card.tsx';

/** Programs that read over the bridge, and the tokens with which they are connected. */
export function SimplefinPage() {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const create = useMutation({
    mutationFn: async (wanted: ProgramFields) => {
      const { name, setup_token: secret } = await api.simplefinSetupTokens.create(wanted);
      if (secret !== null) setMade({ name, secret });
    },
    onSuccess: () => setAsking(false),
    onSettled: () => queries.invalidateQueries({ queryKey: setupTokens.queryKey }),
  });
  return (
    <DeveloperPage
      title={SIMPLEFIN.title}
      actions={
        <OwnerOnly scope="keys:write" otherwise="sentence">
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => {
              create.reset();
              setAsking(true);
            }}
          >
            {SIMPLEFIN.create}
          </Button>
        </OwnerOnly>
      }
    >
      <p className={classes.intro}>{SIMPLEFIN.intro}</p>
      {made === null ? null : (
        <SecretOnce
          key={made.secret}
          title={SIMPLEFIN.secret.title(made.name)}
          text={SIMPLEFIN.secret.text}
          label={SIMPLEFIN.secret.label}
          secret={made.secret}
          done={SIMPLEFIN.secret.done}
          onDone={() => setMade(null)}
        />
      )}
      <HowCard />
      <AppCard />
      <SetupTokenCard />
      {asking ? (
        <ProgramDialog
          title={SIMPLEFIN.creating}
          program={{ name: '', two_decimals: false, leave_out_extra: false }}
          busy={create.isPending}
          error={create.error}
          failed={SIMPLEFIN.failedCreate}
          action={SIMPLEFIN.create}
          onSave={create.mutate}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </DeveloperPage>
  );
}
