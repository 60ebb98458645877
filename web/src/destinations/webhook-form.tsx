import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Destination } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { api } from '../api/client.ts';
import { destinations } from '../api/destinations.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Problem } from '../parts/page-states.tsx';
import { destinationTexts } from '../text/kinds.ts';
import { NEW_DESTINATION } from '../text/new-destination.ts';
import { SetUpSync } from './destination-actions.tsx';
import classes from './destinations.module.css';

const MOST_NAME = 200;
const MOST_ADDRESS = 2048;

interface WebhookFormProps {
  readonly onCreated: (created: Destination) => void;
}

/** The name and the address of a webhook. */
export function WebhookForm({ onCreated }: WebhookFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [complain, setComplain] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.destinations.create({ type: 'webhook', name: name.trim(), target: { url: url.trim() } }),
    onSuccess: (created) => {
      onCreated(created);
      return queries.invalidateQueries({ queryKey: destinations.queryKey });
    },
    // The answer has the secret: it is not held longer than it is shown.
    gcTime: 0,
  });
  const words = NEW_DESTINATION.webhook;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const complete = name.trim() !== '' && url.trim() !== '';
    setComplain(!complete);
    if (complete) create.mutate();
  };
  const missing = (text: string) => (complain && text.trim() === '' ? words.missing : undefined);
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={words.name}
        placeholder={words.namePlaceholder}
        value={name}
        maxLength={MOST_NAME}
        error={missing(name)}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={words.address}
        description={words.addressHint}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        maxLength={MOST_ADDRESS}
        error={missing(url)}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {create.error === null ? null : (
        <Problem
          error={create.error}
          title={NEW_DESTINATION.connectFailed(destinationTexts('webhook').name)}
        />
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={create.isPending}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}

/** A webhook that has just been created, with its secret. */
export function CreatedWebhook({ created }: { readonly created: Destination }) {
  const { webhook } = NEW_DESTINATION;
  return (
    <Card title={NEW_DESTINATION.secret.title}>
      <div className={classes.body}>
        <p role="status">{webhook.createdText}</p>
        <SecretOnce secret={created.config?.signing_secret ?? ''} />
        <div className={classes.actions}>
          <LinkButton variant="default" to={APP_PATHS.destination} params={{ id: created.id }}>
            {webhook.open}
          </LinkButton>
          <SetUpSync destination={created.id} />
        </div>
      </div>
    </Card>
  );
}

/** A signing secret, which the service shows only once, and what a receiver does with it. */
export function SecretOnce({ secret }: { readonly secret: string }) {
  const { title, once, verify, how, receivers } = NEW_DESTINATION.secret;
  return (
    <div className={classes.stack}>
      <p>{once}</p>
      <CopyText label={title} text={secret} />
      <p className={classes.muted}>{verify}</p>
      <p className={classes.links}>
        <a href={appUrl('docs/webhooks#the-request').href} target="_blank" rel="noreferrer">
          {how}
        </a>
        <a href={appUrl('docs/receiving-events').href} target="_blank" rel="noreferrer">
          {receivers}
        </a>
      </p>
    </div>
  );
}
