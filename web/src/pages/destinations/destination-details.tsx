import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { syncs } from '../../api/syncs.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATION, RETURNED } from '../../text/destinations.ts';
import { Deliveries } from './deliveries.tsx';
import { DestinationDialog, type DialogName } from './destination-dialog.tsx';
import { DestinationFacts } from './destination-facts.tsx';
import { DestinationMenu } from './destination-menu.tsx';
import { DestinationNeeds } from './destination-needs.tsx';
import { DestinationStatus } from './destination-status.tsx';
import classes from './destinations.module.css';
import { ReturnedNotice } from './returned-notice.tsx';
import { SetUpSync } from './set-up-sync.tsx';
import { SyncsThere } from './syncs-there.tsx';
import { TargetPicker } from './target-picker.tsx';

interface DestinationDetailsProps {
  readonly destination: Destination;
}

/** What has just been done here. */
interface Done {
  readonly title: string;
  readonly text: string;
}

const route = getRouteApi(PATHS.destination);

export function DestinationDetails({ destination }: DestinationDetailsProps) {
  const { id, type, name, status } = destination;
  const outcome = route.useSearch();
  const navigate = route.useNavigate();
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
          onDone={setDone}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}
