import { type Static, Type } from 'typebox';
import type { Behind } from '../../../features/event-destinations/event-feed.ts';
import { eventSchema, presentEvent } from '../../../operations/v2/events/resource.ts';
import { EVENT_SELECTORS, kindsNamed } from '../../../vocabulary/event-selectors.ts';
import { type OwnerId, publicId } from '../../../vocabulary/ids.ts';
import { type CommandParts, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { accountRecordId } from './account.ts';

/** How long one request waits for an event, and so how long the stream of a shell that has gone stays open. */
const WAIT_MS = 10_000;

/** The next events of an account record; `events tail` requests them repeatedly (src/surfaces/cli/tail-events.ts). */
export const eventsTail = command({
  name: 'events tail',
  args: Type.Object(
    {
      account: Type.Optional(Type.String()),
      type: Type.Optional(Type.Array(Type.String())),
      since: Type.Optional(Type.String()),
      /** From the previous response; takes precedence over `since`. */
      position: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    account: Type.String(),
    /** Where the next request continues; null for where this one began. */
    position: Type.Union([Type.Integer(), Type.Null()]),
    events: Type.Array(eventSchema),
  }),
  run: async ({ app, signal }, { account, type, since, position }) => {
    const owner = await ownerOf(app, account);
    const kinds = type === undefined ? null : kindsNamed(type.map(selector));
    const behind: Behind =
      position !== undefined ? { position } : since !== undefined ? { event: since } : null;
    const stream = await app.services.eventFeed.open(owner, behind, kinds, signal);
    try {
      // The first response comes at once, so that the position is known whatever then happens to the server.
      const events = (await stream.next(behind === null ? 0 : WAIT_MS)) ?? [];
      return {
        account: publicId('account_record', owner),
        position: stream.position,
        events: events.map(presentEvent),
      };
    } finally {
      stream.close();
    }
  },
  show: ({ events }) => events.map(line).join('\n'),
});

async function ownerOf({ operator }: CommandParts, account: string | undefined): Promise<OwnerId> {
  if (account !== undefined) {
    const owner = accountRecordId(account);
    await operator.accounts.find(owner);
    return owner;
  }
  const [only, ...others] = await operator.accounts.list(2);
  if (only === undefined || others.length > 0) {
    throw usageFailure('Name the account record with --account acc_…; tributary account list shows them.');
  }
  return only.id;
}

function selector(text: string): string {
  if (EVENT_SELECTORS.includes(text)) return text;
  throw usageFailure(
    `"${text}" is not a kind of event, a family such as sync_run.*, or *. The kinds are listed in docs/events.md.`,
  );
}

function line({ created, type, related_object: about }: Static<typeof eventSchema>): string {
  return `${created}  ${type}  ${about.id}`;
}
