import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Destination, Sync, WebhookDelivery, WebhookReplay } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { WEBHOOK_DELIVERY_STATUSES } from '../../../src/vocabulary/webhook-events.ts';
import { api } from '../api/client.ts';
import { webhookDeliveries } from '../api/destinations.ts';
import { me, useMay } from '../api/me.ts';
import { MoreButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { CancelButton, Dialog, DialogActions } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { PROBLEMS } from '../text/problems.ts';
import { DELIVERIES } from '../text/webhook-deliveries.ts';
import { DeliveryRow } from './delivery-row.tsx';
import classes from './destinations.module.css';
import { ReplayDialog } from './replay-dialog.tsx';

interface DeliveriesProps {
  readonly destination: Destination;
  /** The syncs that write to it. */
  readonly syncs: readonly Sync[];
}

const EXPECTED = 4;
const ALL = 'all';
const route = getRouteApi(APP_PATHS.destination);

/** What was sent to a webhook recently, how it responded, and sending it again. */
export function Deliveries({ destination, syncs }: DeliveriesProps) {
  const { id, status } = destination;
  const { deliveries: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const list = useInfiniteQuery(webhookDeliveries(id));
  const { data: record } = useQuery(me);
  const [chosen, setChosen] = useState<WebhookDelivery | null>(null);
  const [choosingDays, setChoosingDays] = useState(false);
  const [sent, setSent] = useState<WebhookReplay | null>(null);
  const finished = (replay: WebhookReplay) => {
    setSent(replay);
    setChosen(null);
    setChoosingDays(false);
    return queries.invalidateQueries({ queryKey: webhookDeliveries(id).queryKey });
  };
  const resend = useMutation({
    mutationFn: ({ destination, id: delivery }: WebhookDelivery) =>
      api.destinations.replayWebhookDelivery({ id: destination, delivery }),
    onSuccess: finished,
  });
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = wanted === undefined ? all : all.filter((one) => one.status === wanted);
  const sendable = useMay('destinations:write') && status === 'active';
  return (
    <Card title={DELIVERIES.title} aside={DELIVERIES.aside}>
      {sent === null ? null : (
        <div className={classes.deliveryOutcome}>
          <Notice
            tone={sent.failure === null ? 'good' : 'bad'}
            title={sent.failure === null ? DELIVERIES.sent.title : DELIVERIES.sent.partial}
            text={replayText(sent)}
            onClose={() => setSent(null)}
          />
        </div>
      )}
      <div className={classes.bar}>
        <NativeSelect
          size="xs"
          aria-label={DELIVERIES.filter}
          value={wanted ?? ALL}
          data={[ALL, ...WEBHOOK_DELIVERY_STATUSES].map((value) => ({
            value,
            label: DELIVERIES.filters[WEBHOOK_DELIVERY_STATUSES.find((one) => one === value) ?? ALL],
          }))}
          onChange={({ currentTarget }) => {
            const deliveries = WEBHOOK_DELIVERY_STATUSES.find((one) => one === currentTarget.value);
            navigate({ search: deliveries === undefined ? {} : { deliveries }, replace: true });
          }}
        />
        {syncs.length === 0 ? null : (
          <OwnerOnly scope="syncs:write">
            <Button size="xs" variant="default" disabled={!sendable} onClick={() => setChoosingDays(true)}>
              {DELIVERIES.window.open}
            </Button>
          </OwnerOnly>
        )}
      </div>
      {list.data === undefined || record === undefined ? (
        list.error === null ? (
          <LoadingRows count={EXPECTED} />
        ) : (
          <div className={classes.deliveryOutcome}>
            <Problem error={list.error} again={list.refetch} />
          </div>
        )
      ) : shown.length === 0 ? (
        <p className={classes.none}>{all.length === 0 ? DELIVERIES.none : DELIVERIES.noneOfStatus}</p>
      ) : (
        <ul className={rows.rows} aria-label={DELIVERIES.title}>
          {shown.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              zone={record.timezone}
              onResend={
                sendable
                  ? () => {
                      resend.reset();
                      setChosen(delivery);
                    }
                  : null
              }
            />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {chosen === null ? null : (
        <ResendDialog
          delivery={chosen}
          busy={resend.isPending}
          error={resend.error}
          onConfirm={() => resend.mutate(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
      {choosingDays && record !== undefined ? (
        <ReplayDialog
          syncs={syncs}
          zone={record.timezone}
          onDone={finished}
          onClose={() => setChoosingDays(false)}
        />
      ) : null}
    </Card>
  );
}

/** The result of sending again, in sentences. */
function replayText({ sent, deliveries, missing, undelivered, failure }: WebhookReplay): string {
  const words = DELIVERIES.sent;
  return [
    words.text(sent, deliveries),
    missing === null || missing === 0 ? '' : words.missing(missing),
    undelivered === 0 ? '' : words.undelivered(undelivered),
    failure === null ? '' : words.failure(failure.code),
  ].join('');
}

interface ResendDialogProps {
  readonly delivery: WebhookDelivery;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The consequences of sending an event again, shown before it is done. */
function ResendDialog({ delivery, busy, error, onConfirm, onClose }: ResendDialogProps) {
  const { resend } = DELIVERIES;
  return (
    <Dialog continues={busy} title={resend.title} onClose={onClose}>
      <div className={classes.stack}>
        <p className={classes.muted}>{`${DELIVERIES.event}: ${delivery.event}`}</p>
        <p>{resend.text}</p>
        <p>{resend.upsert}</p>
        {error === null ? null : <Problem error={error} title={resend.failed} />}
        <p role="status">{busy ? resend.working : ''}</p>
      </div>
      <DialogActions>
        <CancelButton onClose={onClose} label={busy ? PROBLEMS.close : PROBLEMS.cancel} />
        <Button loading={busy} onClick={onConfirm}>
          {resend.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
