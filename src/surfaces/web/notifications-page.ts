import type { MemberNotifications } from '../../features/notifications/notification-settings.ts';
import type { NotificationThreshold } from '../../storage/notification-settings.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { decimalFromMoney } from '../../vocabulary/money.ts';
import { CHOSEN_KINDS, type ChosenKind, NOTIFICATION_KINDS } from '../../vocabulary/notification-kinds.ts';
import { type Html, html } from '../http/html.ts';
import { shownDay } from '../http/shown-time.ts';
import { NOTIFICATIONS } from '../text/notifications.ts';
import { card, notice, problem, rowForm } from './page-parts.ts';

export type NotificationsDone = keyof typeof NOTIFICATIONS.done;

export function isDone(text: string): text is NotificationsDone {
  return Object.hasOwn(NOTIFICATIONS.done, text);
}

/** Everything that `/settings/notifications` shows to one person. */
export interface ShownNotifications extends MemberNotifications {
  readonly page: string;
  readonly timezone: string;
  /** Whether there is a mail server. */
  readonly mailed: boolean;
  /** The syncs of the account record by id. */
  readonly syncs: ReadonlyMap<RowId<'sync'>, string>;
  /** What browsers subscribe with. */
  readonly vapidKey: string;
  readonly done: NotificationsDone | null;
  readonly problem: string | null;
}

/** The columns of the table of kinds, which are the names of its fields, too. */
export const CHOICE_COLUMNS = ['email', 'push', 'details'] as const;

/** The name of a checkbox. */
export function choiceField(kind: ChosenKind, column: (typeof CHOICE_COLUMNS)[number]): string {
  return `${kind}.${column}`;
}

export function notificationsBody(shown: ShownNotifications): Html {
  return html`
${problem(shown.problem)}
${notice(shown.done === null ? null : NOTIFICATIONS.done[shown.done])}
<p>${NOTIFICATIONS.text}</p>
${choicesPart(shown)}
${amountsPart(shown)}
${devicesPart(shown)}
${testPart(shown)}`;
}

function choicesPart({ choices, mailed, page }: ShownNotifications): Html {
  const text = NOTIFICATIONS.choices;
  return card(
    text.title,
    html`<form class="wide" method="post" action="${page}/choices">
<div class="table kinds" tabindex="0" role="group" aria-label="${text.table}"><table>
<thead><tr><th scope="col">${text.kind}</th>${CHOICE_COLUMNS.map((column) => html`<th scope="col">${text[column]}</th>`)}</tr></thead>
<tbody>${CHOSEN_KINDS.map((kind) => {
      const name = text.names[kind];
      const { detailed, alwaysDetailed, when } = NOTIFICATION_KINDS[kind];
      return html`<tr><th scope="row">${name}<br><span class="hint">${when}.</span></th>${CHOICE_COLUMNS.map(
        (column) => {
          if (column === 'details' && (detailed === null || alwaysDetailed)) return html`<td></td>`;
          const on = choices.get(kind)?.[column] === true;
          return html`<td><label class="choice"><input type="checkbox" name="${choiceField(kind, column)}" aria-label="${text.box(name, text[column])}"${on ? html` checked` : html``}><span aria-hidden="true">${text[column]}</span></label></td>`;
        },
      )}</tr>`;
    })}</tbody>
</table></div>
<p class="hint">${text.detailsHint}</p>
${mailed ? html`` : html`<p class="hint">${text.noMail}</p>`}
<div class="actions"><button>${text.submit}</button></div>
</form>`,
  );
}

function amountsPart({ thresholds, syncs, page }: ShownNotifications): Html {
  const text = NOTIFICATIONS.amounts;
  const placeOf = ({ sync }: NotificationThreshold): string =>
    sync === null ? text.every : (syncs.get(sync) ?? text.gone);
  return card(
    text.title,
    html`<p>${text.text}</p>
<ul class="lines">${thresholds.map((one) => {
      const amount = Number(one.amount);
      const shown = `${decimalFromMoney({ amount, currency: one.currency })} ${one.currency.toUpperCase()}`;
      const line = text.from(shown, placeOf(one));
      const address = `${page}/amounts/${publicId('notification_threshold', one.id)}/remove`;
      return html`<li><span>${line}</span> ${rowForm(address, text.remove, line)}</li>`;
    })}</ul>
<form method="post" action="${page}/amounts">
<div class="columns">
<div><label for="amount">${text.amount}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="20"></div>
<div><label for="currency">${text.currency}</label>
<input id="currency" name="currency" autocomplete="off" autocapitalize="characters" spellcheck="false" required minlength="3" maxlength="3" value="AUD"></div>
</div>
<label for="sync">${text.sync}</label>
<select id="sync" name="sync"><option value="">${text.all}</option>${[...syncs].map(
      ([id, name]) => html`<option value="${publicId('sync', id)}">${name}</option>`,
    )}</select>
<div class="actions"><button>${text.submit}</button></div>
</form>`,
  );
}

function devicesPart({ devices, timezone, page, vapidKey }: ShownNotifications): Html {
  const text = NOTIFICATIONS.devices;
  return card(
    text.title,
    html`${
      devices.length === 0
        ? html`<p class="hint">${text.none}</p>`
        : html`<ul class="lines">${devices.map((one) => {
            const name = one.browser ?? text.unnamed;
            const address = `${page}/devices/${publicId('push_device', one.id)}/remove`;
            return html`<li><span>${text.since(name, shownDay(one.created, timezone))}</span> ${rowForm(address, text.remove, name)}</li>`;
          })}</ul>`
    }
<div data-push-key="${vapidKey}" data-push-page="${page}">
<div class="actions"><button type="button" hidden>${text.add}</button></div>
<p class="hint" hidden>${text.unsupported}</p>
<p role="status"></p>
</div>`,
  );
}

function testPart({ page }: ShownNotifications): Html {
  const text = NOTIFICATIONS.test;
  return card(
    text.title,
    html`<p>${text.text}</p>
<form method="post" action="${page}/test"><button>${text.submit}</button></form>`,
  );
}
