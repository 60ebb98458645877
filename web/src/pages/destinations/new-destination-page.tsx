import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Destination } from '#client';

import type { DestinationConnection } from '../../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { Back } from '../../parts/back.tsx';
import { Card } from '../../parts/card.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS } from '../../text/destinations.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';
import { LinkForm } from './link-form.tsx';
import { ReturnedLink } from './returned-link.tsx';
import { ReturnedNotice } from './returned-notice.tsx';
import { ServerForm } from './server-form.tsx';
import { TypeDisclosure } from './type-disclosure.tsx';
import { TypeList } from './type-list.tsx';
import { CreatedWebhook, WebhookForm } from './webhook-form.tsx';

const route = getRouteApi(PATHS.newDestination);

export function NewDestinationPage() {
  const { type, destination_link: returned } = route.useSearch();
  return (
    <>
      <Back to={PATHS.destinations}>{DESTINATIONS.title}</Back>
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
  };
  const vendor = DESTINATION_KINDS[type].texts.name;
  return (
    <Page
      title={NEW_DESTINATION.titleOf(vendor)}
      actions={
        <Link to={PATHS.newDestination} search={{}} className={classes.otherType}>
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
