import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { api } from '../api/client.ts';
import { destination as destinationQuery, destinations, webhookDeliveries } from '../api/destinations.ts';
import { syncs } from '../api/syncs.ts';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import { DESTINATION, DESTINATIONS } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import { attemptText, latestAttempt } from './delivery-row.tsx';
import { useReconnect } from './destination-actions.tsx';
import classes from './destinations.module.css';

interface DestinationNeedsProps {
  readonly destination: Destination;
  readonly onSecret: () => void;
  readonly onDone: (done: { readonly title: string; readonly text: string }) => void;
}

/** Why a destination cannot be written to, and the action that makes it work again. Nothing if it works. */
export function DestinationNeeds({ destination, onSecret, onDone }: DestinationNeedsProps) {
  if (destination.status === 'disabled') return <Disabled destination={destination} onDone={onDone} />;
  if (destination.status !== 'reauth_required') return null;
  return DESTINATION_KINDS[destination.type].connects === 'link' ? (
    <Lapsed destination={destination} />
  ) : (
    <Need
      title={DESTINATION.lapsed}
      text={DESTINATION.secretText(destinationTexts(destination.type).name)}
      action={<Button onClick={onSecret}>{DESTINATION.replaceSecret}</Button>}
    />
  );
}

function Lapsed({ destination }: { readonly destination: Destination }) {
  const reconnect = useReconnect(destination);
  const vendor = destinationTexts(destination.type).name;
  return (
    <>
      {reconnect.error === null ? null : (
        <Problem error={reconnect.error} title={DESTINATIONS.failed.link(vendor)} />
      )}
      <Need
        title={DESTINATION.lapsed}
        text={DESTINATION.reauthorizeText(vendor)}
        action={
          <Button loading={reconnect.busy} onClick={() => reconnect.mutate()}>
            {DESTINATION.reauthorize}
          </Button>
        }
      />
    </>
  );
}

const GONE = 410;

function Disabled({
  destination: { id, name },
  onDone,
}: Pick<DestinationNeedsProps, 'destination' | 'onDone'>) {
  const queries = useQueryClient();
  const { data } = useInfiniteQuery(webhookDeliveries(id));
  const latest = data?.pages[0]?.data[0];
  const attempt = latest === undefined ? null : latestAttempt(latest);
  const enable = useMutation({
    mutationFn: () => api.destinations.enable({ id }),
    onSuccess: (enabled) => {
      queries.setQueryData(destinationQuery(id).queryKey, enabled);
      onDone({ title: DESTINATION.enabled, text: DESTINATION.enabledText });
      return Promise.all([
        queries.invalidateQueries({ queryKey: destinations.queryKey, exact: true }),
        queries.invalidateQueries({ queryKey: syncs.queryKey }),
      ]);
    },
  });
  const text =
    attempt?.status_code === GONE
      ? DESTINATION.gone
      : DESTINATION.failing(attempt === null ? '' : DESTINATION.lastAnswer(attemptText(attempt)));
  return (
    <>
      {enable.error === null ? null : (
        <Problem error={enable.error} title={DESTINATIONS.failed.enable(name)} />
      )}
      <Need
        title={DESTINATION.disabled}
        text={text}
        action={
          <Button loading={enable.isPending} onClick={() => enable.mutate()}>
            {DESTINATIONS.enable}
          </Button>
        }
      />
    </>
  );
}

interface NeedProps {
  readonly title: string;
  readonly text: string;
  readonly action: ReactNode;
}

function Need({ title, text, action }: NeedProps) {
  return (
    <section className={classes.attention} aria-label={title}>
      <div className={classes.attentionWords}>
        <p className={classes.attentionTitle}>{title}</p>
        <p>{text}</p>
      </div>
      <OwnerOnly scope="destinations:write" otherwise="sentence">
        {action}
      </OwnerOnly>
    </section>
  );
}
