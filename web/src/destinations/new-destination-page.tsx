import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Destination } from '#client';
import type { DestinationConnection } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { api } from '../api/client.ts';
import { createDestinationLink, destinationLink, destinations, latestLink } from '../api/destinations.ts';
import { namesInPage } from '../api/page-names.ts';
import { Card } from '../parts/card.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Icon, Monogram } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { DESTINATIONS } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import { NEW_DESTINATION } from '../text/new-destination.ts';
import classes from './destinations.module.css';
import { ReturnedNotice } from './returned-notice.tsx';
import { SecretForm } from './secret-form.tsx';
import { CreatedWebhook, WebhookForm } from './webhook-form.tsx';

const COMPLETED = { destination_link: 'completed' } as const;

/** Continues to the destination for which the person has just signed in, or to the list if it is unknown. */
function ReturnedLink() {
  const id = latestLink();
  const queries = useQueryClient();
  const { data, error } = useQuery({ ...destinationLink(id ?? ''), enabled: id !== null });
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: destinations.queryKey });
  }, [queries]);
  if (id === null || error !== null || data?.destination === null) {
    return <Navigate to={APP_PATHS.destinations} search={COMPLETED} replace />;
  }
  if (data === undefined) return <LoadingRows count={3} />;
  return <Navigate to={APP_PATHS.destination} params={{ id: data.destination }} search={COMPLETED} replace />;
}

const route = getRouteApi(APP_PATHS.newDestination);

export function NewDestinationPage() {
  const { type, destination_link: returned } = route.useSearch();
  return (
    <>
      <Back to={APP_PATHS.destinations}>{DESTINATIONS.title}</Back>
      {returned === 'completed' ? (
        <Page title={NEW_DESTINATION.title}>
          <OwnerOnly scope="destinations:write" otherwise="page">
            <ReturnedLink />
          </OwnerOnly>
        </Page>
      ) : type === undefined ? (
        <Page key="types" title={NEW_DESTINATION.title}>
          <OwnerOnly scope="destinations:write" otherwise="page">
            <Outcome />
            <p className={classes.intro}>{NEW_DESTINATION.intro}</p>
            <TypeList />
          </OwnerOnly>
        </Page>
      ) : (
        <Connecting key={type} type={type} />
      )}
    </>
  );
}

function Connecting({ type }: Pick<Destination, 'type'>) {
  const [created, setCreated] = useState<Destination | null>(null);
  if (created !== null) {
    return (
      <Page key="created" title={NEW_DESTINATION.webhook.created(created.name)}>
        <CreatedWebhook created={created} />
      </Page>
    );
  }
  const forms: Readonly<Record<DestinationConnection, () => ReactNode>> = {
    link: () => <LinkForm type={type} />,
    url: () => <WebhookForm onCreated={setCreated} />,
    secret: () => <ServerForm type={type} />,
    direct: () => <DirectForm type={type} />,
  };
  const vendor = destinationTexts(type).name;
  return (
    <Page
      title={NEW_DESTINATION.titleOf(vendor)}
      actions={
        <Link to={APP_PATHS.newDestination} search={{}} className={classes.otherType}>
          {NEW_DESTINATION.other}
        </Link>
      }
    >
      <Outcome />
      <TypeDisclosure type={type} />
      <OwnerOnly scope="destinations:write" otherwise="page">
        <Card title={NEW_DESTINATION.connect}>
          <div className={classes.body}>{forms[DESTINATION_KINDS[type].connects]()}</div>
        </Card>
      </OwnerOnly>
    </Page>
  );
}

function Outcome() {
  const outcome = route.useSearch();
  const navigate = route.useNavigate();
  const { type } = outcome;
  const onClose = () => navigate({ search: type === undefined ? {} : { type }, replace: true });
  return <ReturnedNotice outcome={outcome} next="" onClose={onClose} />;
}

/** What can be written to, and what each is for. */
function TypeList() {
  const notOffered = namesInPage('not-offered');
  return (
    <ul className={classes.types} aria-label={NEW_DESTINATION.choices}>
      {DESTINATION_TYPES.filter((type) => !notOffered.includes(type)).map((type) => (
        <li key={type}>
          <Link to={APP_PATHS.newDestination} search={{ type }} className={classes.type}>
            <Monogram name={destinationTexts(type).name} />
            <span className={classes.typeWords}>
              <span className={classes.typeName}>{destinationTexts(type).name}</span>
              <span className={classes.muted}>{destinationTexts(type).for}</span>
            </span>
            <Icon name="chevron" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What a destination is for, and what connecting it means for a person's data: said before anything is shared. */
function TypeDisclosure({ type }: Pick<Destination, 'type'>) {
  const { before, purpose, needs, sends, asks, stays, copied, more } = NEW_DESTINATION;
  const words = destinationTexts(type);
  return (
    <Card
      title={before}
      aside={
        <a href={appUrl(`docs/${words.guide}`).href} target="_blank" rel="noreferrer">
          {more}
        </a>
      }
    >
      <dl className={classes.disclosure}>
        {[
          [purpose, words.for],
          [needs, words.needs],
          [sends, words.sends],
          [asks, words.asks],
          [stays, words.stays],
        ].map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>{copied}</p>
    </Card>
  );
}

/** Goes to the page that asks for permission, then to the vendor's sign-in. */
function LinkForm({ type }: Pick<Destination, 'type'>) {
  const vendor = destinationTexts(type).name;
  const stillHere = useStillHere();
  const link = useMutation({
    mutationFn: () => {
      const back = appUrl(APP_PATHS.newDestination.slice(1));
      back.searchParams.set('type', type);
      return createDestinationLink({ type, return_url: back.href });
    },
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  return (
    <div className={classes.form}>
      {link.error === null ? null : (
        <Problem error={link.error} title={NEW_DESTINATION.connectFailed(vendor)} />
      )}
      <p className={classes.muted}>{NEW_DESTINATION.continueText(vendor)}</p>
      <div className={classes.actions}>
        <Button loading={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
          {NEW_DESTINATION.continueTo(vendor)}
        </Button>
      </div>
    </div>
  );
}

/** Of docs/destination-services.md#postgres */
const PREPARE = `create role tributary login password '…';
create schema money authorization tributary;
alter role tributary set search_path = money;`;

/** Connects a server of the person's own with its address and credentials. */
function ServerForm({ type }: Pick<Destination, 'type'>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { connect, connectFailed, postgres } = NEW_DESTINATION;
  const [isHere] = useState(useStillHere());
  return (
    <div className={classes.form}>
      {DESTINATION_KINDS[type].secret === 'connection_address' ? (
        <div className={classes.stack}>
          <h3 className={classes.subtitle}>{postgres.prepare}</h3>
          <p className={classes.muted}>{postgres.prepareHint}</p>
          <CopyText label={postgres.prepare} text={PREPARE} />
        </div>
      ) : null}
      <SecretForm
        type={type}
        action={connect}
        failed={connectFailed(destinationTexts(type).name)}
        save={(secret) => api.destinations.create({ type, secret })}
        onDone={({ id }) => {
          queries.invalidateQueries({ queryKey: destinations.queryKey });
          if (isHere()) navigate({ to: APP_PATHS.destination, params: { id }, replace: true });
        }}
      />
    </div>
  );
}

/** Nothing to enter, because what the operator set up is enough. */
function DirectForm({ type }: Pick<Destination, 'type'>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const create = useMutation({
    mutationFn: () => api.destinations.create({ type }),
    onMutate: stillHere,
    onSuccess: async ({ id }, _, isHere) => {
      void queries.invalidateQueries({ queryKey: destinations.queryKey });
      if (isHere()) await navigate({ to: APP_PATHS.destination, params: { id }, replace: true });
    },
  });
  return (
    <div className={classes.form}>
      {create.error === null ? null : (
        <Problem error={create.error} title={NEW_DESTINATION.connectFailed(destinationTexts(type).name)} />
      )}
      <div className={classes.actions}>
        <Button loading={create.isPending || create.isSuccess} onClick={() => create.mutate()}>
          {NEW_DESTINATION.connect}
        </Button>
      </div>
    </div>
  );
}
