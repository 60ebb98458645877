import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { RecordNeeds, SharedRecord } from '../../storage/shared-records.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { APP_PATHS } from '../../vocabulary/page-paths.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { shownName } from '../../vocabulary/shown-names.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { queryOf } from '../http/request-url.ts';
import { ACCOUNTS } from '../text/account.ts';
import { recordLabel, recordLabelText } from '../text/frame.ts';
import { answerScriptError } from './passkeys.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const PATH = '/settings/accounts';
/** Beyond this, no page is asked for. */
const MOST_PAGES = 1_000;

/** Where each need is met. */
const PLACES = {
  consents_ended: APP_PATHS.connections,
  consents_ending: APP_PATHS.connections,
  destinations: APP_PATHS.destinations,
  syncs: APP_PATHS.syncs,
  rows: APP_PATHS.syncs,
} as const satisfies Record<keyof RecordNeeds, `/${string}`>;

/** `/settings/accounts`: all account records of a person, with what each needs. */
export function registerSharedAccounts(scope: FastifyInstance, options: WebOptions): void {
  registerSettingsPage(scope, options, {
    path: PATH,
    isDone: (_text): _text is never => false,
    content: async (signedIn, page, _notice, request) => {
      const at = pageIn(request);
      const { records, more } = await options.sharedRecords.needs(signedIn.caller.user, at);
      const now = signedIn.caller.accountRecord.id;
      return {
        ...accountsPage({ page, appUrl: options.appUrl, records, now, next: more ? at + 1 : null }),
        ...(await settingsFrame(options, '/settings', signedIn)),
      };
    },
  });
}

/** What the web application asks about them. */
export function registerAccountLists(scope: FastifyInstance, options: WebOptions): void {
  scope.setErrorHandler((thrown, request, reply) => answerScriptError(thrown, request, reply, options));
  scope.get(`${PATH}/list`, async (request, reply) => {
    const { caller } = await whoAsks(request, options);
    const { records, more } = await options.sharedRecords.first(caller.user);
    return reply.header('cache-control', 'no-store').send({ data: records.map(listed), more });
  });
  scope.get(`${PATH}/holder`, async (request, reply) => {
    const { caller } = await whoAsks(request, options);
    const { id = '' } = queryOf(request);
    const found = await options.sharedRecords.holderOf(caller.user, id);
    const other = found === null || found.id === caller.accountRecord.id ? null : found;
    return reply.header('cache-control', 'no-store').send({ record: other === null ? null : listed(other) });
  });
}

async function whoAsks({ headers }: FastifyRequest, { webSessions }: WebOptions): Promise<SignedIn> {
  const signedIn = await webSessions.find(headers.cookie);
  if (signedIn === null) throw new ServiceError('api_key_missing');
  return signedIn;
}

/** `label`: its name, or else its address; `detail`: its address beside a name. */
function listed({ id, email, name: given }: SharedRecord) {
  const name = shownName(given);
  return { id: publicId('account_record', id), label: name ?? email, detail: name === null ? '' : email };
}

function pageIn(request: FastifyRequest): number {
  const page = Number(queryOf(request).page ?? '0');
  return Number.isInteger(page) && page >= 0 && page < MOST_PAGES ? page : 0;
}

interface Shown {
  readonly page: string;
  readonly appUrl: string;
  readonly records: readonly (SharedRecord & RecordNeeds)[];
  /** The one that the session works with. */
  readonly now: OwnerId;
  /** The number of the next page, if there is one. */
  readonly next: number | null;
}

function accountsPage(shown: Shown): PageContent {
  const { page, records, next } = shown;
  return {
    title: ACCOUNTS.title,
    secretAddress: false,
    body: html`
<p>${ACCOUNTS.text}</p>
${records.map((record) => recordPart(record, shown))}
${next === null ? html`` : html`<div class="actions"><a class="button" href="${page}?page=${String(next)}">${ACCOUNTS.next}</a></div>`}`,
  };
}

function recordPart(record: SharedRecord & RecordNeeds, { appUrl, now }: Shown): Html {
  const label = recordLabelText(record);
  const open = (name: string, path: `/${string}`): Html =>
    html`<form class="row" method="post" action="${pathOf(appUrl, '/settings/account')}"><input type="hidden" name="account" value="${publicId('account_record', record.id)}"><input type="hidden" name="next" value="${pathOf(appUrl, path)}"><button aria-label="${name}: ${label}">${name}</button></form>`;
  const kinds: readonly (keyof RecordNeeds)[] = [
    'consents_ended',
    'destinations',
    'syncs',
    'consents_ending',
    'rows',
  ];
  const needs = kinds.filter((kind) => record[kind] > 0);
  return html`<section class="card"><h2>${recordLabel(record)}</h2>
${
  needs.length === 0
    ? html`<p>${ACCOUNTS.nothing}</p>`
    : html`<ul class="lines">${needs.map((kind) => {
        const place = PLACES[kind];
        return html`<li><span>${ACCOUNTS.needs[kind](record[kind])}</span> ${open(ACCOUNTS.places[place], place)}</li>`;
      })}</ul>`
}
${record.id === now ? html`<p class="hint">${ACCOUNTS.shown}</p>` : html`<div class="actions">${open(ACCOUNTS.open, APP_PATHS.home)}</div>`}
</section>`;
}
