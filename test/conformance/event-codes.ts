import type { TestOwner } from '../support/service.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { eventDestinationBody, made } from './things.ts';

/** Someone has all the streams that an account record can have, and asks for another. */
const tooManyStreams: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.service.owner();
  const { services } = stage.service.app;
  const never = new AbortController().signal;
  const streams = await Promise.all(
    Array.from({ length: services.limits.event_streams }, () =>
      services.eventFeed.open(owner.record.id, null, null, never),
    ),
  );
  const answer = await send(owner, askAbout(operation, things.ids));
  for (const stream of streams) stream.close();
  return answer;
};

/** Someone whose only event destination is disabled after it was pinged. */
async function silent({ stage }: Scene): Promise<{
  readonly owner: TestOwner;
  readonly destination: string;
  readonly event: string;
}> {
  const owner = await stage.service.owner();
  const { id } = await made(owner, '/v2/event_destinations', eventDestinationBody());
  const ping = await made(owner, `/v2/event_destinations/${id}/ping`, undefined);
  await made(owner, `/v2/event_destinations/${id}/disable`, undefined);
  return { owner, destination: id, event: ping.id };
}

const limitReached: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.service.owner();
  const ask = askAbout(operation, things.ids);
  for (let count = 0; count < stage.service.app.services.limits.event_destinations; count++) {
    await made(owner, ask.path, ask.body);
  }
  return send(owner, ask);
};

/** The database refuses what the operation writes. */
const refused =
  (table: string): Provoke =>
  ({ stage, things }, operation) =>
    stage.withBrokenTable(table, () => send(things.owner, askAbout(operation, things.ids)));

export const EVENT_CODES: Readonly<Record<string, Provocations>> = {
  create_event_destination: {
    event_destination_limit_reached: limitReached,
    event_destination_create_failed: refused('event_destinations'),
  },
  update_event_destination: {
    parameter_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { webhook_endpoint: {} } }),
  },
  rotate_event_destination_secret: { event_destination_rotate_failed: refused('event_destinations') },
  ping_event_destination: {
    ping_failed: refused('events'),
    destination_disabled: async (scene, operation) => {
      const { owner, destination } = await silent(scene);
      return send(
        owner,
        askAbout(operation, () => destination),
      );
    },
  },
  redeliver_event: {
    no_subscribed_destination: async (scene, operation) => {
      const { owner, event } = await silent(scene);
      return send(
        owner,
        askAbout(operation, () => event),
      );
    },
  },
  stream_events: { too_many_concurrent_requests: tooManyStreams },
};
