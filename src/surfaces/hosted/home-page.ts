import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FirstRun } from '../../features/sign-in/first-run.ts';
import { wantsPage } from '../http/header-values.ts';
import { type Html, html } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import { HOME } from '../text/home.ts';

/** Answers with the page that starts the web application. */
type OpenApp = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * `GET /`: what this service is and where to go. People who linked something without a `return_url`
 * (docs/resources.md#link-session) also end up here; it then says how that ended and that the window can be closed.
 * Until someone can sign in, it says where the link for the first person is, but not the link itself: anyone may ask, and
 * the first to open it becomes the operator. Otherwise browsers get the web application, if there is one.
 */
export function registerHomePage(
  server: FastifyInstance,
  openApp: OpenApp | null,
  firstRun: Pick<FirstRun, 'isAwaited'>,
): void {
  server.get('/', async (request, reply) => {
    const query = new URL(request.url, 'http://service').searchParams;
    const outcome = outcomeOf(query);
    reply.header('vary', 'accept');
    const shows = outcome === null && wantsPage(request.headers.accept);
    // Without the database it is unknown; the page that is shown instead reports that.
    if (shows && (await firstRun.isAwaited().catch(() => false))) {
      return sendPage(reply, 200, {
        title: HOME.firstRun.title,
        secretAddress: false,
        body: html`${HOME.firstRun.text}
<p><a href="docs/sign-in#first-person">${HOME.firstRun.more}</a></p>
<p><a href="docs/guides">${HOME.guides}</a></p>`,
      });
    }
    if (shows && openApp !== null) return openApp(request, reply);
    return sendPage(reply, 200, {
      title: outcome?.title ?? HOME.title,
      secretAddress: false,
      body: html`${outcome?.body ?? []}${ABOUT}`,
    });
  });
}

interface Outcome {
  readonly title: string;
  readonly body: Html;
}

function outcomeOf(query: URLSearchParams): Outcome | null {
  for (const [name, subject] of Object.entries(HOME.linked)) {
    const ended = query.get(name);
    if (ended === 'completed') {
      return {
        title: HOME.completed(subject),
        body: html`<p>${HOME.completedText}</p>`,
      };
    }
    if (ended === 'failed') {
      return {
        title: HOME.failed(subject),
        body: html`<p>${HOME.failedText}</p>
${reasonOf(query.get('reason'))}`,
      };
    }
  }
  return null;
}

/** Anyone can write this address, so only what looks like a code of ours is shown. */
function reasonOf(reason: string | null): Html {
  return reason !== null && /^[a-z_]{1,40}$/.test(reason) ? html`<p>${HOME.reason(reason)}</p>` : html``;
}

const ABOUT = html`<p>${HOME.about}</p>
<ul>
<li><a href="sign-in">${HOME.signIn}</a></li>
<li><a href="docs">${HOME.reference}</a>: ${HOME.referenceText}</li>
<li><a href="docs/guides">${HOME.guides}</a>: ${HOME.guidesText}</li>
<li><a href="status">${HOME.status}</a>: ${HOME.statusText}</li>
</ul>`;
