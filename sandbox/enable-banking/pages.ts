import {
  actionOf,
  decided,
  logInOf,
  sharePage,
  signInPage,
  stepOf,
  usedUp,
} from '../shared/consent-pages.ts';
import { type Reply, redirectTo } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { notFound } from '../shared/vendor-error.ts';
import type { World } from './accounts.ts';
import { type Banks, logoSvg } from './banks.ts';
import { PERSONAS, type Persona, personaOf } from './personas.ts';
import type { Sessions, Visit } from './sessions.ts';

/** The bank's pages, opened through the vendor: sign in, choose accounts, consent. */
export class ConsentPages {
  readonly #sessions: Sessions;
  readonly #banks: Banks;
  readonly #world: World;
  readonly #pagesUrl: () => string;

  constructor(
    parts: { readonly sessions: Sessions; readonly banks: Banks; readonly world: World },
    pagesUrl: () => string,
  ) {
    this.#sessions = parts.sessions;
    this.#banks = parts.banks;
    this.#world = parts.world;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /welcome?sessionid=` */
  start({ query }: SimulatedRequest): Reply {
    const visit = this.#sessions.open(query.get('sessionid') ?? '');
    return visit === null ? usedUp() : this.#signIn(visit, null);
  }

  /** `POST /welcome/{id}/login` */
  login(request: SimulatedRequest): Reply {
    return this.#step(request, (visit, form) => {
      const persona = personaOf(logInOf(form));
      return persona === null ? this.#signIn(visit, NOBODY) : this.#share(visit, persona, null);
    });
  }

  /** `POST /welcome/{id}/complete`, from the last page or from a script in one go. */
  complete(request: SimulatedRequest): Reply {
    return this.#step(request, (visit, form) =>
      decided(form, {
        approve: () => this.#approve(visit, form),
        refuse: (error) => this.#sessions.end(visit, { error }),
      }),
    );
  }

  /** `GET /logos/{file}` */
  logo({ params }: SimulatedRequest): Reply {
    const bank = this.#banks.ofLogo(params.file ?? '');
    if (bank === null) throw notFound('not_found', 'not found');
    return { status: 200, body: logoSvg(bank), headers: { 'content-type': 'image/svg+xml' } };
  }

  #approve(visit: Visit, form: URLSearchParams): Reply {
    const persona = personaOf(form.get('customer') ?? '');
    if (persona === null) return this.#signIn(visit, NOBODY);
    const ticked = form.getAll('account');
    const shared = persona.accounts.map(({ key }) => key).filter((key) => ticked.includes(key));
    if (shared.length === 0 && ticked.length > 0)
      return this.#share(visit, persona, 'Tick at least one account.');
    // The accounts exist from now on.
    this.#world.of(persona.customer, visit.bank);
    return redirectTo(this.#sessions.end(visit, { customer: persona.customer, shared }));
  }

  #signIn({ id, bank, psuType, method }: Visit, problem: string | null): Reply {
    const how = bank.methods.find((one) => one.psuType === psuType && one.name === method);
    const asks = (how?.asksFor ?? []).join(' and ');
    return signInPage({
      title: `Sign in at ${bank.name}`,
      action: this.#action(id),
      people: PERSONAS.map(({ customer, name, summary }) => ({
        value: customer,
        label: name,
        detail: summary,
      })),
      problem,
      note:
        how?.approach === 'DECOUPLED'
          ? `You would enter your ${asks.toLowerCase()} here, and confirm in ${how.title}. In the sandbox, choose a person.`
          : null,
    });
  }

  #share({ id, bank, validUntil }: Visit, persona: Persona, problem: string | null): Reply {
    const day = new Date(validUntil).toISOString().slice(0, 10);
    return sharePage({
      title: `Share accounts at ${bank.name}?`,
      action: this.#action(id),
      customer: persona.customer,
      says: `Sandbox will see balances and transactions until ${day}, or until you stop it.`,
      legend: 'Accounts',
      field: 'account',
      choices: this.#world.of(persona.customer, bank).map(({ plan: { key, name }, currency }) => ({
        value: key,
        label: name,
        detail: currency,
        ticked: true,
      })),
      problem,
    });
  }

  #action(id: string): string {
    return actionOf(this.#pagesUrl(), 'welcome', id);
  }

  #step(request: SimulatedRequest, step: (visit: Visit, form: URLSearchParams) => Reply): Reply {
    return stepOf(request, (id) => this.#sessions.open(id), step);
  }
}

const NOBODY = 'There is no one with that name here.';
