import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Destination, Sync } from '#client';
import type { DestinationConnection } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { destination } from '../api/destinations.ts';
import { syncs } from '../api/syncs.ts';
import { agoText } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { DESTINATION, DESTINATIONS, RETURNED } from '../text/destinations.ts';
import { NEW_DESTINATION } from '../text/new-destination.ts';
import { Deliveries } from './deliveries.tsx';
import { DestinationStatus, SetUpSync } from './destination-actions.tsx';
import { DestinationDialog, type DialogName } from './destination-dialog.tsx';
import { DestinationFacts } from './destination-facts.tsx';
import { DestinationNeeds } from './destination-needs.tsx';
import classes from './destinations.module.css';
import { ReturnedNotice } from './returned-notice.tsx';
import { TargetPicker } from './target-picker.tsx';

const EXPECTED = 4;

export function DestinationPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(destination(id));
  return (
    <>
      <Back to={APP_PATHS.destinations}>{DESTINATIONS.title}</Back>
      {data !== undefined ? (
        <DestinationDetails key={id} destination={data} />
      ) : (
        <Page title={DESTINATIONS.title}>
          {error === null ? <LoadingRows count={EXPECTED} /> : <Problem error={error} again={refetch} />}
        </Page>
      )}
    </>
  );
}

const TONES: Readonly<Record<Sync['status'], Tone>> = { idle: 'good', running: 'idle', attention: 'bad' };

/** The syncs that write to a destination; undefined while they are not known. */
function SyncsThere({ syncs }: { readonly syncs: readonly Sync[] | undefined }) {
  if (syncs === undefined) return <LoadingRows count={1} />;
  if (syncs.length === 0) return <p className={classes.empty}>{DESTINATION.noSync}</p>;
  return (
    <ul className={rows.rows}>
      {syncs.map(({ id, name, status, last_synced_at: last }) => (
        <li key={id} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>
              <Link to={APP_PATHS.sync} params={{ id }} className={rows.link ?? ''}>
                {name}
              </Link>
            </p>
            <p className={rows.detail}>
              {last === null ? DESTINATION.neverSynced : DESTINATION.lastSynced(agoText(last))}
            </p>
          </div>
          <StatusBadge tone={TONES[status]}>{DESTINATION.syncStatus[status]}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}

interface DestinationDetailsProps {
  readonly destination: Destination;
}

/** What has just been done here. */
interface Done {
  readonly title: string;
  readonly text: string;
}

const route = getRouteApi(APP_PATHS.destination);

function DestinationDetails({ destination }: DestinationDetailsProps) {
  const { id, type, name, status } = destination;
  const outcome = route.useSearch();
  const navigate = route.useNavigate();
  const stillHere = useStillHere();
  const { data } = useQuery(syncs);
  const there = data?.filter((sync) => sync.destination.id === id);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const draft = status === 'incomplete';
  return (
    <Page
      title={name}
      actions={
        <>
          <DestinationStatus status={status} />
          <OwnerOnly scope="destinations:write" otherwise="sentence">
            <DestinationMenu destination={destination} onChoose={setDialog} />
          </OwnerOnly>
        </>
      }
    >
      <ReturnedNotice
        outcome={outcome}
        next={RETURNED.completedText}
        onClose={() => navigate({ search: {}, replace: true })}
      />
      {done === null ? null : <Notice tone="good" {...done} onClose={() => setDone(null)} />}
      <DestinationNeeds destination={destination} onSecret={() => setDialog('secret')} onDone={setDone} />
      {draft ? (
        <OwnerOnly scope="destinations:write">
          <Card title={DESTINATION.target} aside={DESTINATION.targetAside}>
            <div className={classes.body}>
              <TargetPicker
                destination={destination}
                onDone={() => setDone({ title: DESTINATION.ready, text: DESTINATION.readyText })}
              />
            </div>
          </Card>
        </OwnerOnly>
      ) : null}
      <Card title={DESTINATION.facts}>
        <DestinationFacts destination={destination} />
      </Card>
      {draft ? null : (
        <Card
          title={DESTINATION.syncs}
          aside={
            there?.length === 0 && status === 'active' ? (
              <OwnerOnly scope="syncs:write">
                <SetUpSync destination={id} />
              </OwnerOnly>
            ) : undefined
          }
        >
          <SyncsThere syncs={there} />
        </Card>
      )}
      {DESTINATION_KINDS[type].signingSecret ? (
        <Deliveries destination={destination} syncs={there ?? []} />
      ) : null}
      {dialog === null ? null : (
        <DestinationDialog
          name={dialog}
          destination={destination}
          syncs={there ?? []}
          stillHere={stillHere}
          onDone={setDone}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}

interface DestinationMenuProps {
  readonly destination: Destination;
  readonly onChoose: (dialog: DialogName) => void;
}

/** Everything that can be done with a destination. */
function DestinationMenu({ destination, onChoose }: DestinationMenuProps) {
  const { type, name, status } = destination;
  const { connects, signingSecret } = DESTINATION_KINDS[type];
  const item = (dialog: DialogName, words: string): ReactNode => (
    <Menu.Item key={dialog} onClick={() => onChoose(dialog)}>
      {words}
    </Menu.Item>
  );
  const reconnect: Readonly<Record<DestinationConnection, ReactNode>> = {
    link: item('reauthorize', DESTINATION.reauthorize),
    url: item('address', DESTINATION.address),
    secret: item('secret', DESTINATION.replaceSecret),
    direct: null,
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={DESTINATIONS.actionsOf(name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {item('rename', DESTINATION.rename)}
        {connects === 'url' || status === 'incomplete' ? null : item('target', DESTINATION.changeTarget)}
        {reconnect[connects]}
        {signingSecret ? item('rotate', NEW_DESTINATION.secret.rotate) : null}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => onChoose('delete')}>
          {DESTINATION.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
