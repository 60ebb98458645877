import type { FastifyInstance } from 'fastify';
import { requireManager } from '../../features/sign-in/members.ts';
import type { AuditEvent } from '../../storage/audit-events.ts';
import type { AuditTarget } from '../../storage/audit-targets.ts';
import { parsePublicId, publicId } from '../../vocabulary/ids.ts';
import { type Html, html } from '../http/html.ts';
import { queryOf } from '../http/request-url.ts';
import { shownMoment } from '../http/shown-time.ts';
import { ACTIVITY } from '../text/security.ts';
import { card } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import type { WebOptions } from './web-options.ts';

const PAGE_SIZE = 50;

/** `/settings/activity`: the audit log of the account record, for its owners (docs/audit-log.md). */
export function registerActivity(scope: FastifyInstance, options: WebOptions): void {
  const { auditLog, limits } = options;
  registerSettingsPage(scope, options, {
    path: '/settings/activity',
    isDone: (_text): _text is never => false,
    allow: async ({ caller }) => requireManager(caller),
    content: async (signedIn, address, _notice, request) => {
      const { accountRecord } = signedIn.caller;
      const { after = '' } = queryOf(request);
      const asked = { limit: PAGE_SIZE, after: parsePublicId('audit_event', after), before: null };
      const { items, hasMore } = await auditLog.list(accountRecord.id, null, asked);
      const targets = await auditLog.targets(accountRecord.id, items);
      const last = items.at(-1);
      const body = html`<p>${ACTIVITY.text(limits.audit_days)}</p>
${
  items.length === 0
    ? html`<p class="hint">${ACTIVITY.none}</p>`
    : html`<ul class="lines">${items.map((event) => line(event, targets, accountRecord.timezone))}</ul>`
}
<div class="actions">${
        asked.after === null ? html`` : html`<a class="button" href="${address}">${ACTIVITY.newest}</a> `
      }${
        hasMore && last !== undefined
          ? html`<a class="button" href="${address}?after=${publicId('audit_event', last.id)}">${ACTIVITY.older}</a>`
          : html``
      }</div>`;
      return {
        title: ACTIVITY.title,
        secretAddress: false,
        body: card(ACTIVITY.title, body),
        ...(await settingsFrame(options, '/settings/activity', signedIn)),
      };
    },
  });
}

function line(event: AuditEvent, targets: ReadonlyMap<string, AuditTarget>, timezone: string): Html {
  const { kind, detail, target, browser, network, occurrences } = event;
  const about = target === null ? null : ACTIVITY.target(target, targets.get(target) ?? null);
  const repeated =
    occurrences === 1
      ? html``
      : html`<br><span class="hint">${ACTIVITY.times(occurrences, shownMoment(event.last_at, timezone))}</span>`;
  return html`<li><span><strong>${ACTIVITY.happened(kind, detail)}</strong>, ${shownMoment(event.created, timezone)}${about === null ? html`` : html`<br>${about}`}<br><span class="hint">${ACTIVITY.by(nameOf(event), browser, network)}</span>${repeated}</span></li>`;
}

function nameOf({ actor_kind: kind, actor_name: name }: AuditEvent): string {
  switch (kind) {
    case 'operator':
      return name === null ? ACTIVITY.operator : ACTIVITY.operatorNamed(name);
    case 'service':
      return ACTIVITY.service;
    case 'api_key':
      return ACTIVITY.key(name ?? ACTIVITY.unknown);
    case 'oauth_token':
    case 'bridge_app':
      return ACTIVITY.app(name ?? ACTIVITY.unknown);
    default:
      return name ?? ACTIVITY.unknown;
  }
}
