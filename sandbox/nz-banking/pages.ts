import { alert, type Choice, choice, escapeHtml, hidden, page } from '../shared/html.ts';
import { htmlReply, type Reply, redirectTo } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { notFound } from '../shared/vendor-error.ts';
import { type Banks, connectionId, logoSvg } from './banks.ts';
import { PERSONAS, personaOf } from './personas/catalog.ts';
import type { Persona } from './personas/plan.ts';
import { type MoveParts, moveToOfficial } from './shared-accounts.ts';
import type { SignIn, SignIns } from './sign-ins.ts';

/** The vendor's page: sign in, choose banks, consent. Plain forms; no state but the fields. */
export class ConsentPages {
  readonly #signIns: SignIns;
  readonly #banks: Banks;
  readonly #pagesUrl: () => string;
  readonly #parts: MoveParts;

  constructor(
    parts: MoveParts & { readonly signIns: SignIns; readonly banks: Banks },
    pagesUrl: () => string,
  ) {
    this.#signIns = parts.signIns;
    this.#banks = parts.banks;
    this.#pagesUrl = pagesUrl;
    this.#parts = parts;
  }

  /** `GET /oauth` */
  start({ query }: SimulatedRequest): Reply {
    const begun = this.#signIns.begin(query);
    if (typeof begun === 'string') return htmlReply(400, endPage('This link does not work', begun));
    return begun instanceof URL ? redirectTo(begun) : this.#login(begun, null);
  }

  /** `POST /oauth/{id}/login` */
  login(request: SimulatedRequest): Reply {
    return this.#visit(request, (signIn, form) => {
      const persona = personaOf(form.get('other_customer') || (form.get('customer') ?? ''));
      return persona === null
        ? this.#login(signIn, 'There is no one with that name here.')
        : this.#choose(signIn, persona, null);
    });
  }

  /** `POST /oauth/{id}/complete`, from the last page or from a script in one go. */
  complete(request: SimulatedRequest): Reply {
    return this.#visit(request, (signIn, form) => {
      switch (form.get('outcome')) {
        case 'approve':
          return this.#approve(signIn, form);
        case 'deny':
        case 'cancel':
          return redirectTo(this.#signIns.end(signIn, { error: 'access_denied' }));
        case 'fail':
          return redirectTo(this.#signIns.end(signIn, { error: 'server_error' }));
        default:
          return htmlReply(400, endPage('Not understood', 'outcome must be approve, deny, cancel or fail.'));
      }
    });
  }

  /** `GET /logos/{file}` */
  logo({ params }: SimulatedRequest): Reply {
    const bank = this.#banks.get((params.file ?? '').replace(/\.svg$/, ''));
    if (bank === null) throw notFound('not_found', 'not found');
    return { status: 200, body: logoSvg(bank), headers: { 'content-type': 'image/svg+xml' } };
  }

  #approve(signIn: SignIn, form: URLSearchParams): Reply {
    const persona = personaOf(form.get('customer') ?? '');
    if (persona === null) return this.#login(signIn, 'There is no one with that name here.');
    const ticked = form.getAll('institution_id').map((id) => this.#banks.ofConnection(id)?.key);
    const banks = persona.banks.filter(({ bank }) => ticked.includes(bank));
    if (banks.length === 0) return this.#choose(signIn, persona, 'Tick at least one bank.');
    if (banks.some(({ bank }) => this.#banks.get(bank)?.status === 'OUTAGE'))
      return redirectTo(this.#signIns.end(signIn, { error: 'temporarily_unavailable' }));
    const { users, accounts, webhooks } = this.#parts;
    const user = users.signedIn(persona.customer);
    for (const { bank } of banks) {
      const isNew = !user.authorisations.some((login) => login.bank === bank);
      const login = users.authorise(user, bank);
      if (this.#banks.get(bank)?.migrating === true && !login.official) {
        moveToOfficial(this.#parts, user, login);
      } else if (isNew) {
        const ids = accounts.under(user, login).map(({ id }) => id);
        webhooks.accountsChanged(ids, user, 'CREATE');
      }
    }
    return redirectTo(this.#signIns.end(signIn, { user }));
  }

  #login({ id }: SignIn, problem: string | null): Reply {
    const people = PERSONAS.map(({ customer, name, summary }) => ({
      value: customer,
      label: name,
      detail: summary,
    }));
    return htmlReply(200, loginPage(this.#action(id), people, problem));
  }

  #choose({ id, connection }: SignIn, persona: Persona, problem: string | null): Reply {
    const held = this.#parts.users.ofCustomer(persona.customer)?.authorisations ?? [];
    const wanted = connection === null ? null : (this.#banks.ofConnection(connection)?.key ?? null);
    const banks = persona.banks.flatMap(({ bank: key, accounts }): (Choice & { ticked: boolean })[] => {
      const bank = this.#banks.get(key);
      if (bank === null) return [];
      const login = held.find((one) => one.bank === key);
      const state =
        login === undefined ? '' : login.active ? ', shared already' : ', has to be signed in to again';
      return [
        {
          value: connectionId(key, login?.official ?? bank.migrating),
          label: bank.name,
          detail: `${accounts.length} account${accounts.length === 1 ? '' : 's'}${state}`,
          image: this.#banks.logoUrl(key),
          ticked: wanted === null || wanted === key,
        },
      ];
    });
    return htmlReply(200, banksPage(this.#action(id), persona, banks, problem));
  }

  #action(id: string): string {
    return `${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}/oauth/${id}`;
  }

  #visit(request: SimulatedRequest, step: (signIn: SignIn, form: URLSearchParams) => Reply): Reply {
    const signIn = this.#signIns.open(request.params.id ?? '');
    if (signIn === null)
      return htmlReply(410, endPage('This page was used', 'Go back to the application and start again.'));
    return step(signIn, new URLSearchParams(request.body));
  }
}

/** Step 1: who. */
function loginPage(action: string, people: readonly Choice[], problem: string | null): string {
  return page(
    'Sign in',
    `${alert(problem)}<form method="post" action="${action}/login"><fieldset><legend>Who are you today?</legend>` +
      `${people.map((person, index) => choice('radio', 'customer', person, index === 0)).join('')}</fieldset>` +
      '<p><label for="other_customer">Or another log-in</label>' +
      '<input type="text" id="other_customer" name="other_customer" placeholder="rows:50000" autocomplete="off" aria-describedby="other-help"></p>' +
      '<p class="note" id="other-help">rows:N has exactly N transactions; a name followed by +2 is another person with the same habits.</p>' +
      `<p class="row"><button class="lead">Sign in</button></p></form>${wayOut(action)}`,
  );
}

/** Step 2: which banks, and yes or no. */
function banksPage(
  action: string,
  person: { readonly customer: string; readonly name: string },
  banks: readonly (Choice & { readonly ticked: boolean })[],
  problem: string | null,
): string {
  return page(
    `Share banks of ${person.name}?`,
    `${alert(problem)}<p>The application will see accounts, balances and transactions until you stop it.</p>` +
      `<form method="post" action="${action}/complete">${hidden('customer', person.customer)}` +
      `<fieldset><legend>Banks</legend>${banks.map((bank) => choice('checkbox', 'institution_id', bank, bank.ticked)).join('')}</fieldset>` +
      '<p class="row"><button class="lead" name="outcome" value="approve">Share</button>' +
      '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form>' +
      wayOut(action),
  );
}

/** A page that ends the visit without going back to the application. */
function endPage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}

function wayOut(action: string): string {
  return (
    '<details><summary>Try what happens when it does not work</summary>' +
    `<form method="post" action="${action}/complete"><p class="row"><button name="outcome" value="fail">Fail</button>` +
    '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form></details>'
  );
}
