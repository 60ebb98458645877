import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { appUrl } from '../../api/app-url.ts';
import { api } from '../../api/client.ts';
import { Card } from '../../parts/card.tsx';
import { SecretOnce } from '../../parts/copy-text.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';
import classes from '../developer.module.css';
import { DeveloperPage } from '../developer-page.tsx';
import { AppCard } from './program-card.tsx';
import { ProgramDialog, type ProgramFields, setupTokens } from './program-dialogs.tsx';
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

/** How a program is connected, and where it asks for the token. */
function HowCard() {
  return (
    <Card
      title={SIMPLEFIN.how}
      aside={
        <a href={appUrl('docs/simplefin').href} target="_blank" rel="noreferrer">
          {SIMPLEFIN.guide}
        </a>
      }
    >
      <div className={`${classes.inside} ${classes.stack}`}>
        <ol className={classes.steps}>
          {SIMPLEFIN.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <details>
          <summary className={classes.summary}>{SIMPLEFIN.programsTitle}</summary>
          <dl className={classes.programs}>
            {SIMPLEFIN.programs.map(([name, where]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={classes.meaning}>{where}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </Card>
  );
}
