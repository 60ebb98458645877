import type { AuthorizationServer } from './authorization-server.ts';
import { escapeHtml, page } from './html.ts';
import { htmlReply, type Reply, redirectTo } from './reply.ts';
import type { SimulatedRequest } from './request.ts';

/** What a vendor's consent page says. */
export interface ConsentText {
  /** The vendor's name on the page. */
  readonly vendor: string;
  /** Who consents, and so whose token it will be. */
  readonly subject: string;
  /** What is requested, in the vendor's words. */
  readonly asks: readonly string[];
}

/** The vendor's consent page: allow or deny. Plain forms; no state but the visit. */
export class OAuthPages {
  readonly #authorizationServer: AuthorizationServer;
  readonly #text: ConsentText;
  readonly #pagesUrl: () => string;

  /** @param pagesUrl where browsers reach the simulator's pages, without a trailing slash */
  constructor(authorizationServer: AuthorizationServer, text: ConsentText, pagesUrl: () => string) {
    this.#authorizationServer = authorizationServer;
    this.#text = text;
    this.#pagesUrl = pagesUrl;
  }

  /** The vendor's authorisation address. */
  start({ query }: SimulatedRequest): Reply {
    const visit = this.#authorizationServer.begin(query);
    if (typeof visit === 'string') return htmlReply(400, endPage('This link does not work', visit));
    const { vendor, asks } = this.#text;
    const action = `${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}/oauth/${visit.id}/complete`;
    const list = asks.map((one) => `<li>${escapeHtml(one)}</li>`).join('');
    return htmlReply(
      200,
      page(
        `Allow access to ${vendor}?`,
        `<p>The application will be able to:</p><ul>${list}</ul>` +
          `<form method="post" action="${escapeHtml(action)}"><p class="row">` +
          '<button class="lead" name="outcome" value="approve">Allow</button>' +
          '<button name="outcome" value="deny">Deny</button></p></form>' +
          '<details><summary>Try what happens when it does not work</summary>' +
          `<form method="post" action="${escapeHtml(action)}"><p class="row">` +
          '<button name="outcome" value="fail">Fail</button></p></form></details>',
      ),
    );
  }

  /** `POST /oauth/:id/complete` */
  complete({ params, body }: SimulatedRequest): Reply {
    const visit = this.#authorizationServer.open(params.id ?? '');
    if (visit === null)
      return htmlReply(410, endPage('This page was used', 'Go back to the application and start again.'));
    switch (new URLSearchParams(body).get('outcome')) {
      case 'approve':
        return redirectTo(this.#authorizationServer.end(visit, { subject: this.#text.subject }));
      case 'deny':
        return redirectTo(this.#authorizationServer.end(visit, { error: 'access_denied' }));
      case 'fail':
        return redirectTo(this.#authorizationServer.end(visit, { error: 'server_error' }));
      default:
        return htmlReply(400, endPage('Not understood', 'outcome must be approve, deny or fail.'));
    }
  }
}

function endPage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}
