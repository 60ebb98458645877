import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ServiceEvent } from '#client';
import { api } from '../../api/client.ts';
import { event, eventDeliveries } from '../../api/events.ts';
import { me } from '../../api/me.ts';
import { momentText } from '../../format/moments.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { Refusal } from '../developer/refusal.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { whenWords } from './event-words.ts';

const route = getRouteApi(PATHS.event);

export function EventPage() {
  const { id } = route.useParams();
  const found = useQuery(event(id));
  const record = useQuery(me);
  const error = found.error ?? record.error;
  return (
    <>
      <Back to={PATHS.events}>{EVENTS.title}</Back>
      {found.data !== undefined && record.data !== undefined ? (
        <Details event={found.data} zone={record.data.timezone} />
      ) : (
        <Page title={EVENTS.title} actionsToCome={error === null}>
          {error === null ? (
            <LoadingRows count={3} />
          ) : (
            <Refusal error={error} again={() => Promise.all([found.refetch(), record.refetch()])} />
          )}
        </Page>
      )}
    </>
  );
}

function Details({ event: shown, zone }: { readonly event: ServiceEvent; readonly zone: string }) {
  const queries = useQueryClient();
  const redeliver = useMutation({
    mutationFn: () => api.events.redeliver({ id: shown.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: eventDeliveries(shown.id).queryKey }),
  });
  return (
    <Page
      title={shown.type}
      actions={
        <OwnerOnly scope="events:write" otherwise="sentence">
          <Button variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
            {EVENTS.redeliver}
          </Button>
        </OwnerOnly>
      }
    >
      {redeliver.error === null ? null : <Problem error={redeliver.error} title={EVENTS.redeliverFailed} />}
      {redeliver.isSuccess ? (
        <Notice
          tone="good"
          title={EVENTS.redelivered}
          text={EVENTS.redeliveredText}
          onClose={redeliver.reset}
        />
      ) : null}
      <Card title={EVENTS.details}>
        <Facts
          facts={[
            [EVENTS.at, momentText(shown.created, zone)],
            [EVENTS.when, whenWords(shown.type)],
            [
              EVENTS.about,
              <span key="about" className={classes.code}>
                {shown.related_object.id}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={EVENTS.payload} aside={EVENTS.payloadAside}>
        <div className={classes.inside}>
          <CopyText label={EVENTS.payloadText} text={JSON.stringify(shown, null, 2)} />
        </div>
      </Card>
      <Card title={EVENTS.deliveries} aside={EVENTS.deliveriesAside}>
        <DeliveryList event={shown.id} zone={zone} />
      </Card>
    </Page>
  );
}
