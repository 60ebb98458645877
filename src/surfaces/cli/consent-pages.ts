import { request } from 'undici';
import { systemClock } from '../../platform/clock.ts';
import { CommandFailure } from './failure.ts';

const MOST_PAGES = 60;
/** A page that refreshes automatically is requested again sooner than after its own few seconds. */
const REFRESH_MS = 500;
const PAGE_DEADLINE_MS = 20_000;
const MOST_PAGE_BYTES = 1024 * 1024;

/** The choices that a person would make on the pages. */
export type ConsentChoices = {
  /** The customer who logs in; by default the first one offered. */
  readonly customer: string | undefined;
  readonly signal: AbortSignal;
  /** Where an origin actually answers, for a service whose public address cannot be reached from here. */
  readonly reachedAt?: ReadonlyMap<string, string>;
};

/**
 * Goes through the hosted pages of a link session as a person would: follows links and redirects, fills in the forms
 * and consents, until a page sends it to `returnUrl`. Returns that address with its query.
 * @throws CommandFailure if the pages lead nowhere, with the page's own message
 */
export async function completeConsent(
  start: string,
  returnUrl: string,
  choices: ConsentChoices,
): Promise<URL> {
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
      const entered = await enteredFor(html, visit.url, choices);
      visit = nextOf(html, visit.url, end, { ...choices, entered });
    }
  }
  throw new CommandFailure(`The consent did not end after ${MOST_PAGES} pages. Start a new link session.`);
}

type Visit = { readonly url: URL; readonly method: 'GET' | 'POST'; readonly body: string | null };

/** By origin, then by name; the pages are completed long before any of them expires. */
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

/**
 * What the page asks the person to enter, from the page that it says gives it: there, the first form is completed. Null
 * if it asks for nothing.
 * @throws CommandFailure if that page gives nothing
 */
async function enteredFor(html: string, url: URL, choices: ConsentChoices): Promise<string | null> {
  const asks = formsOf(html)[0]?.fields.some(({ name }) => name === ENTERED) === true;
  const from = asks
    ? (anchorsOf(html)
        .find((one) => one.get('target') === '_blank')
        ?.get('href') ?? null)
    : null;
  if (from === null) return null;
  const page = new URL(from, url);
  const given = await fetchPage({ url: page, method: 'GET', body: null }, choices, new Map());
  const [form] = formsOf(given.html);
  if (form === undefined) throw new CommandFailure(`The page at ${page.origin} has no form.`);
  const body = filledIn(form, { customer: choices.customer, entered: null }).toString();
  const made = await fetchPage({ url: new URL(form.action, page), method: 'POST', body }, choices, new Map());
  const shown = inputsOf(made.html).find(({ name }) => name === GIVEN)?.value ?? '';
  if (shown === '')
    throw new CommandFailure(
      `The page at ${page.origin} says: ${alertOf(made.html) ?? headingOf(made.html)}`,
    );
  return shown;
}

/** The field of the hosted page, and that of the simulated vendor's page from which it is copied. */
const ENTERED = 'entered';
const GIVEN = 'setup_token';

type Answers = Pick<ConsentChoices, 'customer'> & { readonly entered: string | null };

function nextOf(html: string, url: URL, end: URL, answers: Answers): Visit {
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
  const fields = filledIn(form, answers);
  const action = new URL(form.action, url);
  if (form.method === 'post') return { url: action, method: 'POST', body: fields.toString() };
  action.search = fields.toString();
  return { url: action, method: 'GET', body: null };
}

/** What a browser would send after the person picked the customer and pressed the first button. */
function filledIn(form: PageForm, { customer, entered }: Answers): URLSearchParams {
  const sent = new URLSearchParams();
  const offered = form.fields.some((field) => field.name === 'customer' && field.value === customer);
  for (const { name, kind, value, checked } of form.fields) {
    if (name === ENTERED) {
      sent.append(name, entered ?? '');
    } else if (kind === 'radio' && name === 'customer' && customer !== undefined) {
      if (value === customer) sent.append(name, value);
    } else if (kind === 'text' && name === 'other_customer') {
      sent.append(name, customer !== undefined && !offered ? customer : '');
    } else if (!['radio', 'checkbox'].includes(kind) || checked) sent.append(name, value);
  }
  const [button] = form.buttons;
  if (button?.name) sent.append(button.name, button.value);
  return sent;
}

/** A form of a page as a browser would see it, with its default values. */
type PageForm = {
  readonly method: 'get' | 'post';
  /** As written; relative to the page. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly buttons: readonly FormButton[];
};
type FormField = {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
  readonly checked: boolean;
};
type FormButton = { readonly name: string | null; readonly value: string };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The forms of an HTML page, in order; understands enough HTML for pages with plain forms. */
export function formsOf(html: string): readonly PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', body = '']) => {
    const attributes = attributesOf(head);
    return {
      method: attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      action: attributes.get('action') ?? '',
      fields: inputsOf(body),
      buttons: [...body.matchAll(/<button\b([^>]*)>/gi)].map(([, text = '']) => {
        const button = attributesOf(text);
        return { name: button.get('name') ?? null, value: button.get('value') ?? '' };
      }),
    };
  });
}

function inputsOf(html: string): readonly FormField[] {
  return [...html.matchAll(/<input\b([^>]*)>/gi)].flatMap(([, text = '']) => fieldOf(attributesOf(text)));
}

/** Addresses of the page's links. */
function linksOf(html: string): readonly string[] {
  return anchorsOf(html).flatMap((one) => one.get('href') ?? []);
}

function anchorsOf(html: string): readonly ReadonlyMap<string, string>[] {
  return [...html.matchAll(/<a\b([^>]*)>/gi)].map(([, text = '']) => attributesOf(text));
}

/** Whether a browser would load another page automatically. */
function refreshesItself(html: string): boolean {
  return /<meta\b[^>]*http-equiv="refresh"/i.test(html);
}

/** The page's message about a problem, if any. */
function alertOf(html: string): string | null {
  const found = /<[a-z]+\b[^>]*role="alert"[^>]*>([\s\S]*?)<\//i.exec(html)?.[1];
  return found === undefined ? null : textOf(found);
}

/** The page's heading. */
function headingOf(html: string): string {
  return textOf(/<h1\b[^>]*>([\s\S]*?)<\/h1>/i.exec(html)?.[1] ?? 'a page without a heading');
}

function fieldOf(attributes: ReadonlyMap<string, string>): FormField[] {
  const name = attributes.get('name');
  if (name === undefined || name === '') return [];
  const kind = attributes.get('type')?.toLowerCase() ?? 'text';
  return [{ name, kind, value: attributes.get('value') ?? '', checked: attributes.has('checked') }];
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([a-z][a-z0-9_:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi)].map(
      ([, name = '', double, single, bare]) => [name.toLowerCase(), decoded(double ?? single ?? bare ?? '')],
    ),
  );
}

function textOf(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
    if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}
