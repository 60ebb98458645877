const DEADLINE_MS = 10_000;
const MAX_STEPS = 5;

export type ConsentOutcome = 'approve' | 'deny' | 'cancel' | 'fail';

export type ConsentChoices = {
  /** The bank, where a page asks for one; default the sandbox bank, or every bank that is ticked. */
  readonly institution?: string;
  /** The log-in; default the first customer offered. */
  readonly customer?: string;
  readonly outcome?: ConsentOutcome;
};

/**
 * Walks through the hosted consent pages as a person would, form by form, and returns the address the browser
 * would be sent back to; it is not opened. Throws when the pages do not lead there, naming the last status.
 */
export async function completeConsent(authUrl: string, choices: ConsentChoices = {}): Promise<URL> {
  let response = await fetch(authUrl, { redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS) });
  for (let step = 0; step < MAX_STEPS; step++) {
    const location = response.headers.get('location');
    if (location !== null) return new URL(location, authUrl);
    const html = await response.text();
    const form = /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(html);
    if (response.status !== 200 || !form) break;
    if (html.includes('role="alert"'))
      throw new Error('The sandbox bank did not accept the choices; check the customer.');
    const [, action = '', controls = ''] = form;
    response = await fetch(new URL(action, authUrl), {
      method: 'POST',
      body: fill(controls, choices),
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  }
  throw new Error(`The sandbox consent page answered ${response.status} instead of leading back.`);
}

type Control = {
  readonly kind: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
};

/** The fields a browser would send, with the person's choices put in. */
function fill(controls: string, choices: ConsentChoices): URLSearchParams {
  const fields = controlsIn(controls);
  const chosen: Readonly<Record<string, string | undefined>> = {
    institution_id: choices.institution,
    customer: choices.customer,
  };
  const body = new URLSearchParams();
  for (const field of fields) {
    const choice = field.kind === 'radio' || field.name === 'institution_id' ? chosen[field.name] : undefined;
    const offered = fields.some((other) => other.name === field.name && other.value === choice);
    const byHand = field.name === 'customer' && fields.some((other) => other.kind === 'text');
    if (choice !== undefined && !offered && !byHand) {
      throw new Error(`The sandbox bank does not offer ${choice} as ${field.name}.`);
    }
    const on = choice !== undefined && offered ? field.value === choice : field.checked;
    if (field.kind === 'hidden' || on) body.append(field.name, field.value);
    if (field.kind === 'text') body.append(field.name, choices.customer ?? '');
  }
  if (controls.includes('name="outcome"')) body.set('outcome', choices.outcome ?? 'approve');
  return body;
}

function controlsIn(html: string): readonly Control[] {
  return [...html.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => ({
    kind: attribute(attributes, 'type'),
    name: attribute(attributes, 'name'),
    value: attribute(attributes, 'value'),
    checked: / checked$/.test(attributes),
  }));
}

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
