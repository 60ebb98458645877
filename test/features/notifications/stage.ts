import { newRowId } from '../../../src/platform/row-id.ts';
import type { User } from '../../../src/storage/users.ts';
import type { EventKind } from '../../../src/vocabulary/event-kinds.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { addPerson, type Browser, signedIn } from '../../support/people.ts';
import type { BrowserSubscription, SimulatedPushService } from '../../support/push-service.ts';
import type { TestOwner, TestService } from '../../support/service.ts';

export interface Somebody {
  readonly owner: TestOwner;
  readonly person: User;
  readonly browser: Browser;
}

/** A signed-in member of a new account record, or of the given one. */
export async function somebody(
  service: TestService,
  owner?: TestOwner,
  role: 'owner' | 'reader' = 'owner',
): Promise<Somebody> {
  const of = owner ?? (await service.owner());
  const person = await addPerson(service, of, { role });
  return { owner: of, person, browser: await signedIn(service, person) };
}

/** Adds a browser of the person, as the script of the page does. */
export async function subscribed(
  service: TestService,
  push: SimulatedPushService,
  { browser }: Pick<Somebody, 'browser'>,
): Promise<BrowserSubscription> {
  const subscription = push.subscribe(await service.app.notifying.pushService.publicKey());
  const { status, text } = await browser.send('/settings/notifications/devices', subscription, {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  if (status !== 200) throw new Error(`the browser was not added: ${status} ${text}`);
  return subscription;
}

/** Records an event of the account record for each subject, as the changes that they report do. */
export async function happens(
  { app }: TestService,
  { record }: TestOwner,
  kind: EventKind = 'sync.attention',
  ...subjects: readonly string[]
): Promise<void> {
  const created = new Date(app.clock.now());
  const about = subjects.length === 0 ? [newRowId(app.clock)] : subjects;
  const events = about.map((subject) => {
    const id = rowId('event', newRowId(app.clock));
    return { id, account_record: record.id, kind, subject, created, position: null };
  });
  await app.database.db.insertInto('events').values(events).execute();
  app.notices.deliver({ kind: 'event_recorded', id: record.id });
}

/** Checks the boxes of the page that are named, and no other. */
export function choose({ browser }: Pick<Somebody, 'browser'>, ...boxes: readonly string[]) {
  return browser.post('/settings/notifications/choices', Object.fromEntries(boxes.map((box) => [box, 'on'])));
}
