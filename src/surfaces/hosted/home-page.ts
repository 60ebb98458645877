import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsPage } from '../http/accept.ts';
import { type Html, html } from '../http/html.ts';
import { sendPage } from '../http/page.ts';

/** Answers with the page that the web application starts from. */
type OpenApp = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What was being linked when a person was sent back here, by the query parameter that says how it ended. */
const LINKED: Readonly<Record<string, string>> = {
  link_session: 'Your bank',
  destination_link: 'Your destination',
};

/**
 * `GET /`: what this service is and where to go. It is also where a person ends who linked something without a
 * `return_url` (docs/resources.md#link-session); then it says how that ended and that the window can be closed.
 * Otherwise browsers get the web application, where there is one.
 */
export function registerHomePage(server: FastifyInstance, openApp: OpenApp | null): void {
  server.get('/', async (request, reply) => {
    const query = new URL(request.url, 'http://service').searchParams;
    const outcome = outcomeOf(query);
    reply.header('vary', 'accept');
    if (outcome === null && openApp !== null && wantsPage(request.headers.accept))
      return openApp(request, reply);
    return sendPage(reply, 200, {
      title: outcome?.title ?? 'Tributary',
      body: html`${outcome?.body ?? []}${ABOUT}`,
    });
  });
}

interface Outcome {
  readonly title: string;
  readonly body: Html;
}

function outcomeOf(query: URLSearchParams): Outcome | null {
  for (const [name, subject] of Object.entries(LINKED)) {
    const ended = query.get(name);
    if (ended === 'completed') {
      return {
        title: `${subject} is linked`,
        body: html`<p><strong>You can close this window.</strong></p>`,
      };
    }
    if (ended === 'failed') {
      return {
        title: `${subject} was not linked`,
        body: html`<p>Nothing was shared. <strong>You can close this window</strong> and start again where you began.</p>
${reasonOf(query.get('reason'))}`,
      };
    }
  }
  return null;
}

/** Anybody can write this address, so only what looks like a code of ours is shown. */
function reasonOf(reason: string | null): Html {
  return reason !== null && /^[a-z_]{1,40}$/.test(reason)
    ? html`<p>Reason: <code>${reason}</code></p>`
    : html``;
}

const ABOUT = html`<p>This is Tributary, a service that links bank accounts and forwards their data to the destinations their owner chooses.</p>
<ul>
<li><a href="sign-in">Sign in</a></li>
<li><a href="docs">API reference</a>: read about every operation and try it</li>
<li><a href="docs/guides">Guides</a>: linking, syncing, webhooks, errors, configuration</li>
</ul>`;
