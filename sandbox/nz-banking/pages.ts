import {
  actionOf,
  decided,
  endPage,
  logInOf,
  sharePage,
  signInPage,
  stepOf,
} from '../shared/consent-pages.ts';
import { type Reply, redirectTo } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { notFound } from '../shared/vendor-error.ts';
import { type Banks, connectionId, logoSvg } from './banks.ts';
import { PERSONAS, personaOf } from './personas/catalog.ts';
import type { Persona } from './personas/plan.ts';
import { type MoveParts, moveToOfficial } from './shared-accounts.ts';
import type { SignIn, SignIns } from './sign-ins.ts';

/** The vendor's page: sign in, choose banks, consent. */
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
    if (typeof begun === 'string') return endPage(400, 'This link does not work', begun);
    return begun instanceof URL ? redirectTo(begun) : this.#signIn(begun, null);
  }

  /** `POST /oauth/{id}/login` */
  login(request: SimulatedRequest): Reply {
    return this.#step(request, (signIn, form) => {
      const persona = personaOf(logInOf(form));
      return persona === null ? this.#signIn(signIn, NOBODY) : this.#choose(signIn, persona, null);
    });
  }

  /** `POST /oauth/{id}/complete`, from the last page or from a script in one go. */
  complete(request: SimulatedRequest): Reply {
    return this.#step(request, (signIn, form) =>
      decided(form, {
        approve: () => this.#approve(signIn, form),
        refuse: (error) => this.#signIns.end(signIn, { error }),
      }),
    );
  }

  /** `GET /logos/{file}` */
  logo({ params }: SimulatedRequest): Reply {
    const bank = this.#banks.get((params.file ?? '').replace(/\.svg$/, ''));
    if (bank === null) throw notFound('not_found', 'not found');
    return { status: 200, body: logoSvg(bank), headers: { 'content-type': 'image/svg+xml' } };
  }

  #approve(signIn: SignIn, form: URLSearchParams): Reply {
    const persona = personaOf(form.get('customer') ?? '');
    if (persona === null) return this.#signIn(signIn, NOBODY);
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

  #signIn({ id }: SignIn, problem: string | null): Reply {
    const people = PERSONAS.map(({ customer, name, summary }) => ({
      value: customer,
      label: name,
      detail: summary,
    }));
    return signInPage({ title: 'Sign in', action: this.#action(id), people, problem });
  }

  #choose({ id, connection }: SignIn, persona: Persona, problem: string | null): Reply {
    const held = this.#parts.users.ofCustomer(persona.customer)?.authorisations ?? [];
    const wanted = connection === null ? null : (this.#banks.ofConnection(connection)?.key ?? null);
    const choices = persona.banks.flatMap(({ bank: key, accounts }) => {
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
    return sharePage({
      title: `Share banks of ${persona.name}?`,
      action: this.#action(id),
      customer: persona.customer,
      says: 'The application will see accounts, balances and transactions until you stop it.',
      legend: 'Banks',
      field: 'institution_id',
      choices,
      problem,
    });
  }

  #action(id: string): string {
    return actionOf(this.#pagesUrl(), 'oauth', id);
  }

  #step(request: SimulatedRequest, step: (signIn: SignIn, form: URLSearchParams) => Reply): Reply {
    return stepOf(request, (id) => this.#signIns.open(id), step);
  }
}

const NOBODY = 'There is no one with that name here.';
