import { request } from 'undici';
import { systemClock } from '../platform/clock.ts';
import { CommandFailure } from './failure.ts';
import { alertOf, formsOf, headingOf, linksOf, type PageForm, refreshesItself } from './html-forms.ts';

const MOST_PAGES = 60;
/** A page that checks by itself is asked again sooner than its own few seconds: a script need not spare its eyes. */
const REFRESH_MS = 500;
const PAGE_DEADLINE_MS = 20_000;
const MOST_PAGE_BYTES = 1024 * 1024;

/** Who consents to what: the choices a person would make on the pages. */
export type ConsentChoices = {
  /** The customer who logs in; undefined takes the one offered first. */
  readonly customer: string | undefined;
  readonly signal: AbortSignal;
  /** Where an origin really answers, for a service whose public address does not lead back to it from here. */
  readonly reachedAt?: ReadonlyMap<string, string>;
};

/**
 * Goes through the hosted pages of a link session as a person would: follows links and redirects, fills in the forms
 * and consents, until a page sends it to `returnUrl`. Returns that address with what was added to it.
 * @throws CommandFailure when the pages lead nowhere, with the page's own message
 */
export async function walkConsent(start: string, returnUrl: string, choices: ConsentChoices): Promise<URL> {
  const end = new URL(returnUrl);
  const cookies: Cookies = new Map();
  let visit: Visit = { url: new URL(start), method: 'GET', body: null };
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    if (visit.url.origin === end.origin && visit.url.pathname === end.pathname) return visit.url;
    const { status, location, html } = await fetchPage(visit, choices, cookies);
    if (location !== null) visit = { url: new URL(location, visit.url), method: 'GET', body: null };
    else if (status >= 400) {
      throw new CommandFailure(
        `The consent page answered ${status}: ${headingOf(html)}. Start a new link session.`,
      );
    } else {
      if (refreshesItself(html)) await systemClock.sleep(REFRESH_MS, choices.signal);
      visit = nextOf(html, visit.url, end, choices.customer);
    }
  }
  throw new CommandFailure(`The consent did not end after ${MOST_PAGES} pages. Start a new link session.`);
}

type Visit = { readonly url: URL; readonly method: 'GET' | 'POST'; readonly body: string | null };

/** By origin, then by name: a walk is over long before any of them runs out. */
type Cookies = Map<string, Map<string, string>>;

function keepCookies(cookies: Cookies, origin: string, sent: string | string[] | undefined): void {
  const kept = cookies.get(origin) ?? new Map<string, string>();
  for (const text of [sent ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(text) ?? [];
    if (name !== '') kept.set(name.trim(), value);
  }
  cookies.set(origin, kept);
}

function cookieHeader(cookies: Cookies, origin: string): Record<string, string> {
  const kept = [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`);
  return kept.length === 0 ? {} : { cookie: kept.join('; ') };
}

async function fetchPage(
  { url, method, body }: Visit,
  { signal, reachedAt }: ConsentChoices,
  cookies: Cookies,
): Promise<{ status: number; location: string | null; html: string }> {
  const origin = reachedAt?.get(url.origin) ?? url.origin;
  const answer = await request(new URL(url.pathname + url.search, origin), {
    method,
    body,
    headers: {
      ...cookieHeader(cookies, url.origin),
      ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_DEADLINE_MS)]),
  });
  let html = '';
  for await (const part of answer.body.setEncoding('utf8')) {
    html += String(part);
    if (html.length > MOST_PAGE_BYTES)
      throw new CommandFailure(`The page at ${url.origin} is not a consent page.`);
  }
  keepCookies(cookies, url.origin, answer.headers['set-cookie']);
  const location = answer.headers.location;
  const redirects = answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string';
  return { status: answer.statusCode, location: redirects ? location : null, html };
}

function nextOf(html: string, url: URL, end: URL, customer: string | undefined): Visit {
  const links = linksOf(html).map((href) => new URL(href, url));
  const home = refreshesItself(html)
    ? links[0]
    : links.find((link) => link.origin === end.origin && link.pathname === end.pathname);
  if (home !== undefined) return { url: home, method: 'GET', body: null };
  const form = formsOf(html)[0];
  if (form === undefined) {
    throw new CommandFailure(`The consent stopped at a page with no form: ${headingOf(html)}.`);
  }
  const problem = alertOf(html);
  if (problem !== null) throw new CommandFailure(`The consent page says: ${problem}`);
  const fields = filledIn(form, customer);
  const action = new URL(form.action, url);
  if (form.method === 'post') return { url: action, method: 'POST', body: fields.toString() };
  action.search = fields.toString();
  return { url: action, method: 'GET', body: null };
}

/** What a browser would send after the person picked the customer and pressed the first button. */
function filledIn(form: PageForm, customer: string | undefined): URLSearchParams {
  const sent = new URLSearchParams();
  const offered = form.fields.some((field) => field.name === 'customer' && field.value === customer);
  for (const { name, kind, value, checked } of form.fields) {
    if (kind === 'radio' && name === 'customer' && customer !== undefined) {
      if (value === customer) sent.append(name, value);
    } else if (kind === 'text' && name === 'other_customer') {
      sent.append(name, customer !== undefined && !offered ? customer : '');
    } else if (!['radio', 'checkbox'].includes(kind) || checked) sent.append(name, value);
  }
  const [button] = form.buttons;
  if (button?.name) sent.append(button.name, button.value);
  return sent;
}
