import { alert, type Choice, choice, escapeHtml, hidden, page } from './html.ts';
import { htmlReply, type Reply, redirectTo } from './reply.ts';
import type { SimulatedRequest } from './request.ts';

/** What an application is told that gets nothing. */
type Refusal = 'access_denied' | 'server_error';

type SignIn = {
  readonly title: string;
  /** The path of the visit, below which the steps are posted. */
  readonly action: string;
  readonly people: readonly Choice[];
  readonly problem: string | null;
  /** How the person signs in, if there is something to say. */
  readonly note?: string | null;
};

/** The first page of a consent: who signs in. Plain forms, as on the page that follows; no state but the fields. */
export function signInPage({ title, action, people, problem, note = null }: SignIn): Reply {
  return htmlReply(
    200,
    page(
      title,
      `${alert(problem)}${note === null ? '' : `<p>${escapeHtml(note)}</p>`}` +
        `<form method="post" action="${action}/login"><fieldset><legend>Who are you today?</legend>` +
        `${people.map((person, at) => choice('radio', 'customer', person, at === 0)).join('')}</fieldset>` +
        '<p><label for="other_customer">Or another log-in</label>' +
        '<input type="text" id="other_customer" name="other_customer" placeholder="rows:50000" autocomplete="off" aria-describedby="other-help"></p>' +
        '<p class="note" id="other-help">rows:N has exactly N transactions; a name followed by +2 is another person with the same habits.</p>' +
        `<p class="row"><button class="lead">Sign in</button></p></form>${wayOut(action)}`,
    ),
  );
}

/** The log-in that was chosen or typed on the first page. */
export function logInOf(form: URLSearchParams): string {
  return form.get('other_customer') || (form.get('customer') ?? '');
}

type Share = {
  readonly title: string;
  readonly action: string;
  readonly customer: string;
  /** What the application will see, and for how long. */
  readonly says: string;
  readonly legend: string;
  /** The name of the field of what is shared. */
  readonly field: string;
  readonly choices: readonly (Choice & { readonly ticked: boolean })[];
  readonly problem: string | null;
};

/** The second page: what is shared, and yes or no. */
export function sharePage({ title, action, customer, says, legend, field, choices, problem }: Share): Reply {
  return htmlReply(
    200,
    page(
      title,
      `${alert(problem)}<p>${escapeHtml(says)}</p>` +
        `<form method="post" action="${action}/complete">${hidden('customer', customer)}` +
        `<fieldset><legend>${escapeHtml(legend)}</legend>${choices.map((one) => choice('checkbox', field, one, one.ticked)).join('')}</fieldset>` +
        '<p class="row"><button class="lead" name="outcome" value="approve">Share</button>' +
        '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form>' +
        wayOut(action),
    ),
  );
}

/** What the person, or a script in one go, decided. */
export function decided(
  form: URLSearchParams,
  { approve, refuse }: { readonly approve: () => Reply; readonly refuse: (reason: Refusal) => URL },
): Reply {
  switch (form.get('outcome')) {
    case 'approve':
      return approve();
    case 'deny':
    case 'cancel':
      return redirectTo(refuse('access_denied'));
    case 'fail':
      return redirectTo(refuse('server_error'));
    default:
      return endPage(400, 'Not understood', 'outcome must be approve, deny, cancel or fail.');
  }
}

/** A step of a visit that is open, with the form of its page; a visit is used up once it has ended. */
export function stepOf<Visit>(
  { params, body }: SimulatedRequest,
  open: (id: string) => Visit | null,
  step: (visit: Visit, form: URLSearchParams) => Reply,
): Reply {
  const visit = open(params.id ?? '');
  return visit === null ? usedUp() : step(visit, new URLSearchParams(body));
}

export function usedUp(): Reply {
  return endPage(410, 'This page was used', 'Go back to the application and start again.');
}

/** A page that ends the visit without going back to the application. */
export function endPage(status: number, title: string, text: string): Reply {
  return htmlReply(status, page(title, `<p>${escapeHtml(text)}</p>`));
}

/** The path of a visit as browsers reach it. */
export function actionOf(pagesUrl: string, folder: string, visit: string): string {
  return `${new URL(pagesUrl).pathname.replace(/\/$/, '')}/${folder}/${visit}`;
}

function wayOut(action: string): string {
  return (
    '<details><summary>Try what happens when it does not work</summary>' +
    `<form method="post" action="${action}/complete"><p class="row"><button name="outcome" value="fail">Fail</button>` +
    '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form></details>'
  );
}
