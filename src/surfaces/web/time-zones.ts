import { type Html, html } from '../http/html.ts';
import { ACCOUNT } from '../text/account.ts';

/** The zones there are, by the part of the world that their names begin with. */
const ZONES: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
  (zone) => (zone.includes('/') ? (zone.split('/')[0] ?? '') : ACCOUNT.timezone.general),
);

/** The choices of a select box. A zone that has another name today is offered as it was chosen. */
export function zoneOptions(current: string): Html {
  const known = [...ZONES.values()].some((zones) => zones.includes(current));
  const option = (zone: string): Html =>
    html`<option value="${zone}"${zone === current ? html` selected` : html``}>${zone.replaceAll('_', ' ')}</option>`;
  return html`${known ? html`` : option(current)}${[...ZONES].map(
    ([part, zones]) => html`<optgroup label="${part}">${zones.map(option)}</optgroup>`,
  )}`;
}
