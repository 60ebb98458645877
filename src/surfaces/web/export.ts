import type { FastifyInstance } from 'fastify';
import { byCaller } from '../../features/audit/audit-log.ts';
import type { MemberNotifications } from '../../features/notifications/notification-settings.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { createAdmit } from '../../operations/admit.ts';
import { dataExport } from '../../operations/data-export/data-export.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { fileNameOf } from '../../vocabulary/shown-names.ts';
import { attachmentOf } from '../http/header-values.ts';
import { sendOn } from '../http/page.ts';
import { originOf } from '../http/request-url.ts';
import { fileDay } from '../http/shown-time.ts';
import { sendHead, sendStreamed } from '../http/streamed-body.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** It reads every list of the account record, so it counts towards the few heavy requests in progress. */
const ADMISSIBLE = { tier: 'heavy', scope: null, alsoScopes: [], planGate: null } as const;
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** `/settings/export`: everything that is stored of the account record, streamed (docs/your-data.md#export). */
export function registerExport(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, auditLog, clock, log, members, notificationSettings, operations, rateLimits, services } =
    options;
  const { stallMs, webSessions } = options;
  const admit = createAdmit(rateLimits, clock);
  scope.get('/settings/export', async (request, reply) => {
    const signedIn = await webSessions.find(request.headers.cookie);
    if (signedIn === null) {
      const back = encodeURIComponent(pathOf(appUrl, '/settings'));
      return sendOn(reply, `${pathOf(appUrl, '/sign-in')}?next=${back}`);
    }
    const { caller } = signedIn;
    const release = await admit({ operation: ADMISSIBLE, caller, version: null, header: () => undefined });
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort(new Error('the caller left')));
    try {
      const owner = caller.accountRecord.id;
      const [sharing, own] = await Promise.all([
        members.list(owner),
        notificationSettings.of({ owner, user: caller.user }),
      ]);
      const beside = {
        members: sharing.map(({ email, role, created }) => ({ email, role, since: created.toISOString() })),
        notifications: exportedNotifications(own),
      };
      const context = { operations, services, caller, beside, signal: gone.signal };
      const rest = whileSignedIn(dataExport(context), signedIn, () =>
        webSessions.find(request.headers.cookie),
      );
      const first = await rest.next();
      const exported = { kind: 'export.stored_data', by: byCaller(caller), from: originOf(request) } as const;
      await auditLog.note(caller.accountRecord.id, exported);
      const today = fileDay(clock.now(), caller.accountRecord.timezone);
      const fileName = fileNameOf(caller.accountRecord.name, `tributary-${today}.json`);
      reply.code(200).headers(HEADERS);
      reply.header('content-disposition', attachmentOf(fileName));
      if (request.method === 'HEAD') {
        await sendHead(reply, rest);
        return reply;
      }
      const failure = await sendStreamed(reply, { first, rest, stallMs });
      if (failure !== null && !gone.signal.aborted) {
        log.warn('Aborted a data export.', { request_id: request.id }, failure);
      }
      return reply;
    } finally {
      release?.();
    }
  });
}

/** The pieces, for as long as the person stays signed in with the same rights, since a slow download takes hours. */
async function* whileSignedIn(
  pieces: AsyncIterable<string>,
  { caller: { role, accountRecord } }: SignedIn,
  find: () => Promise<SignedIn | null>,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const now = (await find())?.caller;
    if (now?.role !== role || now.accountRecord.id !== accountRecord.id) {
      throw new ServiceError('api_key_missing');
    }
    yield piece;
  }
}

/** What the person who exports has chosen to be notified of, and was notified of; endpoints of browsers are secrets. */
function exportedNotifications({ choices, thresholds, devices, sent }: MemberNotifications) {
  return {
    choices: Object.fromEntries(
      [...choices].map(([kind, { email, push, details }]) => [kind, { email, push, details }]),
    ),
    amounts: thresholds.map(({ sync, currency, amount, created }) => ({
      sync: sync === null ? null : publicId('sync', sync),
      amount: { amount: Number(amount), currency },
      since: created.toISOString(),
    })),
    browsers: devices.map(({ browser, created }) => ({ browser, since: created.toISOString() })),
    sent: sent.map(({ kind, created }) => ({ kind, at: created.toISOString() })),
  };
}
