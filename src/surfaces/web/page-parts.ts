import { PASSWORD_LEAST_CHARACTERS, PASSWORD_MOST_CHARACTERS } from '../../features/sign-in/passwords.ts';
import { type Html, html } from '../http/html.ts';
import { ACCOUNT } from '../text/account.ts';
import { NEW_PASSWORD } from '../text/sign-in.ts';

/** A button for one row of a list, which it names for screen readers. */
export function rowForm(
  address: string,
  label: string,
  of: string,
  fields: Readonly<Record<string, string>> = {},
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="row" method="post" action="${address}">${hidden}<button aria-label="${label}: ${of}">${label}</button></form>`;
}

/** A part of a page under its own heading. */
export function card(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>
${body}
</section>`;
}

/** Says that something was done. */
export function notice(text: string | null): Html {
  return text === null ? html`` : html`<p role="status">${text}</p>`;
}

/** The field for a new password; browsers and password managers propose one. */
export function chosenPassword(label: string): Html {
  return html`<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${String(PASSWORD_LEAST_CHARACTERS)}" maxlength="${String(PASSWORD_MOST_CHARACTERS)}" aria-describedby="password-hint">
<small id="password-hint">${NEW_PASSWORD.hint(PASSWORD_LEAST_CHARACTERS)}</small>`;
}

/** What was wrong with the input, above the form that can be submitted again. */
export function problem(message: string | null): Html {
  return message === null ? html`` : html`<p role="alert">${message}</p>`;
}

/** All time zones, by the region with which their names begin. */
const ZONES: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
  (zone) => (zone.includes('/') ? (zone.split('/')[0] ?? '') : ACCOUNT.timezone.general),
);

/** The choices of a select box. A zone that has been renamed is offered under the name that was chosen. */
export function zoneOptions(current: string): Html {
  const known = [...ZONES.values()].some((zones) => zones.includes(current));
  const option = (zone: string): Html =>
    html`<option value="${zone}"${zone === current ? html` selected` : html``}>${zone.replaceAll('_', ' ')}</option>`;
  return html`${known ? html`` : option(current)}${[...ZONES].map(
    ([part, zones]) => html`<optgroup label="${part}">${zones.map(option)}</optgroup>`,
  )}`;
}
