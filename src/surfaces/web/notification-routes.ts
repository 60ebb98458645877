import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { parsePublicId, type RowId } from '../../vocabulary/ids.ts';
import { currencyCode, type Money, moneyFromDecimal } from '../../vocabulary/money.ts';
import {
  CHOSEN_KINDS,
  type ChosenKind,
  type NotificationChoice,
} from '../../vocabulary/notification-kinds.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { isFromOwnPage } from '../http/form-origin.ts';
import { type Html, html } from '../http/html.ts';
import { type PageContent, sendPage } from '../http/page.ts';
import { partOf } from '../http/request-url.ts';
import { NOTIFICATIONS, UNSUBSCRIBE } from '../text/notifications.ts';
import { PASSKEY_PROBLEMS } from '../text/sign-in.ts';
import { field } from './form.ts';
import { CHOICE_COLUMNS, choiceField, isDone, notificationsBody } from './notifications-page.ts';
import { answerScriptError } from './passkeys.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { audited, isFresh } from './signed-in.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const PATH = '/settings/notifications';
const CHANGED = { kind: 'notifications.changed' } as const;

/** `/settings/notifications`: what the person is notified of, and in which browsers (docs/notifications.md). */
export function registerNotifications(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, mailsNotifications: mailed, notifications, notificationSettings, pushService } = options;
  const { takes } = registerSettingsPage(scope, options, {
    path: PATH,
    isDone,
    content: async (signedIn, page, notice) => {
      const { accountRecord, user } = signedIn.caller;
      const [own, syncs, vapidKey, frame] = await Promise.all([
        notificationSettings.of({ owner: accountRecord.id, user }),
        notificationSettings.syncs(accountRecord.id),
        pushService.publicKey(),
        settingsFrame(options, PATH, signedIn),
      ]);
      const { timezone } = accountRecord;
      return {
        title: NOTIFICATIONS.title,
        secretAddress: false,
        script: pathOf(appUrl, `${PATH}/push.js`),
        body: notificationsBody({ ...own, ...notice, page, timezone, mailed, syncs, vapidKey }),
        ...frame,
      };
    },
  });

  // Like the removal of a browser below: else a stolen session could silence what would give it away.
  const silences = ({ caller }: SignedIn, request: FastifyRequest) =>
    notificationSettings.silences(caller.user, choicesIn(request));
  takes('/choices', silences, async (signedIn, request) => {
    await audited(options, signedIn, request, CHANGED, () =>
      notificationSettings.choose(signedIn.caller.user, choicesIn(request)),
    );
    return 'saved';
  });

  takes('/amounts', false, async (signedIn, request) => {
    const { accountRecord, user } = signedIn.caller;
    const threshold = { money: moneyIn(request), sync: syncIn(request) };
    await audited(options, signedIn, request, CHANGED, () =>
      notificationSettings.addThreshold({ owner: accountRecord.id, user }, threshold),
    );
    return 'amount_added';
  });

  takes('/amounts/:id/remove', false, async (signedIn, request) => {
    const { accountRecord, user } = signedIn.caller;
    const id = parsePublicId('notification_threshold', partOf(request, 'id'));
    if (id === null) throw missing('amount');
    await audited(options, signedIn, request, CHANGED, () =>
      notificationSettings.removeThreshold({ owner: accountRecord.id, user }, id),
    );
    return 'amount_removed';
  });

  takes('/devices/:id/remove', true, async (signedIn, request) => {
    const id = parsePublicId('push_device', partOf(request, 'id'));
    if (id === null) throw missing('browser');
    const event = { kind: 'push_device.removed', target: partOf(request, 'id') } as const;
    await audited(options, signedIn, request, event, () =>
      notificationSettings.removeDevice(signedIn.caller.user, id),
    );
    return 'device_removed';
  });

  takes('/test', false, async ({ caller }) => {
    if (await notifications.test(caller.accountRecord.id, caller.user)) return 'tested';
    throw invalidParameter('test', NOTIFICATIONS.test.refused);
  });
}

/** Every checkbox, since browsers leave out those that are not checked. */
function choicesIn(request: FastifyRequest): ReadonlyMap<ChosenKind, NotificationChoice> {
  return new Map(
    CHOSEN_KINDS.map((kind) => {
      const [email = false, push = false, details = false] = CHOICE_COLUMNS.map(
        (column) => field(request, choiceField(kind, column)) !== '',
      );
      return [kind, { email, push, details }];
    }),
  );
}

function moneyIn(request: FastifyRequest): Money {
  const currency = currencyCode(field(request, 'currency').trim());
  const amount = field(request, 'amount').trim();
  try {
    const money = currency === null ? null : moneyFromDecimal(amount, currency);
    if (money !== null && money.amount > 0) return money;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw invalidParameter('amount', NOTIFICATIONS.amounts.invalid);
}

/** Null for all syncs. */
function syncIn(request: FastifyRequest): RowId<'sync'> | null {
  const text = field(request, 'sync');
  const id = parsePublicId('sync', text);
  if (text !== '' && id === null) throw missing('sync');
  return id;
}

/** Adds this browser: asks for permission, registers the worker below, subscribes, and sends the subscription. */
const PUSH_SCRIPT = `'use strict';
const part = document.querySelector('[data-push-key]');
const { pushKey, pushPage } = part.dataset;
const button = part.querySelector('button');
const message = part.querySelector('[role=status]');
const able = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
(able ? button : part.querySelector('.hint')).hidden = false;
const activated = (registration) => new Promise((resolve) => {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) resolve();
  else worker.addEventListener('statechange', () => worker.state === 'activated' && resolve());
});
const sameKey = ({ options }) => {
  const text = String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === pushKey;
};
button.addEventListener('click', async () => {
  message.textContent = '';
  try {
    if ((await Notification.requestPermission()) !== 'granted') {
      message.textContent = ${JSON.stringify(NOTIFICATIONS.devices.blocked)};
      return;
    }
    const registration = await navigator.serviceWorker.register(pushPage + '/worker.js');
    await activated(registration);
    const earlier = await registration.pushManager.getSubscription();
    if (earlier && !sameKey(earlier)) await earlier.unsubscribe();
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
    const response = await fetch(pushPage + '/devices', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(subscription),
    });
    const answer = await response.json();
    if (response.ok) window.location.assign(answer.location);
    else message.textContent = answer.error.message;
  } catch {
    message.textContent = ${JSON.stringify(NOTIFICATIONS.devices.failed)};
  }
});
`;

/** Shows what is pushed, and opens its page. Its scope is this page's, so it stands beside any other worker. */
const PUSH_WORKER = `'use strict';
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
`;

const script = (body: string): CachedBody => ({
  etag: etagOf(body),
  type: 'text/javascript; charset=utf-8',
  body,
});
const SCRIPTS = { 'push.js': script(PUSH_SCRIPT), 'worker.js': script(PUSH_WORKER) } as const;

/** The scripts of the page, and what they send. */
export function registerPushDevices(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, notificationSettings, webSessions } = options;
  scope.setErrorHandler((thrown, request, reply) => answerScriptError(thrown, request, reply, options));
  for (const [name, body] of Object.entries(SCRIPTS)) {
    scope.get(`${PATH}/${name}`, (request, reply) =>
      sendCached(request, reply.header('x-content-type-options', 'nosniff'), body),
    );
  }
  // Where notifications go outlasts a session that was stolen.
  scope.post(`${PATH}/devices`, async (request) => {
    if (!isFromOwnPage(request.headers, appUrl))
      throw new ServiceError('insufficient_scope', { message: PASSKEY_PROBLEMS.otherSite });
    const signedIn = await webSessions.find(request.headers.cookie);
    if (signedIn === null || !isFresh(signedIn, options))
      throw new ServiceError('api_key_missing', { message: NOTIFICATIONS.devices.fresh });
    const { accountRecord, user } = signedIn.caller;
    const owner = accountRecord.id;
    await audited(options, signedIn, request, { kind: 'push_device.added' }, () =>
      notificationSettings.addDevice({ owner, user }, request.body, request.headers['user-agent']),
    );
    return { location: `${pathOf(appUrl, PATH)}?done=device_added` };
  });
}

const MOST_BYTES = 16_384;

/**
 * The links of e-mails that turn off their kind, for anyone who has the mail. Programs send a form of either type (RFC
 * 8058, section 3.2), of which nothing is needed; opening the link only asks, since scanners of mail open links as well.
 */
export function registerUnsubscribing(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, notificationSettings, unsubscribeLinks } = options;
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, async () => undefined);
  const opened = (request: FastifyRequest) => {
    const found = unsubscribeLinks.open(partOf(request, 'token'));
    if (found === null) throw missing('link');
    return found;
  };
  scope.get(`${SECRET_PATHS.unsubscribe}/:token`, async (request, reply) => {
    const { kind } = opened(request);
    const address = pathOf(appUrl, `${SECRET_PATHS.unsubscribe}/${partOf(request, 'token')}`);
    const body = html`<p>${UNSUBSCRIBE.ask(NOTIFICATIONS.choices.names[kind])}</p>
<form method="post" action="${address}"><div class="actions"><button class="main">${UNSUBSCRIBE.submit}</button></div></form>`;
    return sendPage(reply, 200, unsubscribePage(body, appUrl));
  });
  scope.post(`${SECRET_PATHS.unsubscribe}/:token`, async (request, reply) => {
    const found = opened(request);
    await notificationSettings.unsubscribe(found);
    const body = html`<p role="status">${UNSUBSCRIBE.done(NOTIFICATIONS.choices.names[found.kind])}</p>`;
    return sendPage(reply, 200, unsubscribePage(body, appUrl));
  });
}

function unsubscribePage(body: Html, appUrl: string): PageContent {
  return {
    title: UNSUBSCRIBE.title,
    secretAddress: true,
    body: html`${body}
<p><a href="${pathOf(appUrl, PATH)}">${UNSUBSCRIBE.settings}</a></p>`,
  };
}
