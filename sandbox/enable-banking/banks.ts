import { escapeHtml } from '../shared/html.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Misbehaviours } from '../shared/misbehaviours.ts';
import { digest } from '../shared/random.ts';
import { isQuirk, type Quirk } from './quirks.ts';

const DAY_S = 86_400;

type SignInMethod = {
  readonly name: string;
  readonly title: string;
  readonly psuType: string;
  readonly approach: 'REDIRECT' | 'DECOUPLED' | 'EMBEDDED';
  /** Used only if it is asked for. */
  readonly hidden: boolean;
  /** What the person enters on the page. */
  readonly asksFor: readonly string[];
};

type BankFacts = {
  readonly name: string;
  readonly country: string;
  readonly currency: string;
  readonly types: readonly string[];
  readonly days: number;
  readonly quirks: readonly Quirk[];
  /** Default: one for each kind of accounts. */
  readonly methods?: readonly SignInMethod[];
};

export type Bank = Omit<BankFacts, 'quirks' | 'methods'> & {
  readonly methods: readonly SignInMethod[];
  /** `FI:Kuura Bank` */
  readonly id: string;
  /** What it does now: its own quirks, and those that faults add. */
  readonly quirks: ReadonlySet<Quirk>;
  /** Its own. */
  usual: ReadonlySet<Quirk>;
  /** Whether it fails every read. */
  outage: boolean;
};

const BOTH = ['personal', 'business'];

function bank(country: string, name: string, more: Partial<BankFacts> = {}): BankFacts {
  return { country, name, currency: 'EUR', types: BOTH, days: 180, quirks: [], ...more };
}

/** A method that is listed, and one in an app that is used only if it is asked for. */
const TWO_METHODS: readonly SignInMethod[] = BOTH.flatMap((psuType) => [
  { name: 'web', title: 'Online banking', psuType, approach: 'REDIRECT', hidden: false, asksFor: [] },
  {
    name: 'app',
    title: 'AhornApp',
    psuType,
    approach: 'DECOUPLED',
    hidden: true,
    asksFor: psuType === 'business' ? ['Company number', 'User number'] : ['User number'],
  },
]);

const LIST: readonly BankFacts[] = [
  bank('BE', 'Banque du Verger', { quirks: ['two_years', 'no_booking_date'] }),
  bank('BG', 'Orehova Banka', { quirks: ['cancelled_rows'] }),
  bank('DE', 'Ackerbank', { quirks: ['changing_reference', 'no_person'] }),
  bank('DE', 'Ahornbank', { methods: TWO_METHODS }),
  bank('DE', 'Handwerkskasse', { types: ['business'] }),
  bank('DE', 'Lindenbank', { quirks: ['no_reference', 'undated_pending', 'blank_remittance'] }),
  bank('ES', 'Banco Encina', { days: 90, quirks: ['ninety_days'] }),
  bank('FI', 'Kuura Bank'),
  bank('FR', 'Crédit des Vignes', { quirks: ['late_reference'] }),
  bank('GB', 'Rowan Bank', { currency: 'GBP', days: 90, quirks: ['negative_amounts'] }),
  bank('IE', 'Shannon Mutual', { quirks: ['no_currency', 'untyped_balance'] }),
  bank('LT', 'Taverna Pay', { quirks: ['only_available'] }),
  bank('NL', 'Polder Bank', { quirks: ['endless_pending'] }),
  bank('PT', 'Banco do Cedro', { quirks: ['empty_pages', 'repeated_rows'] }),
  bank('SE', 'Kuura Bank', { currency: 'SEK' }),
];

/** All banks, in several countries. Two have the same name in different ones. */
export class Banks {
  readonly #banks: readonly Bank[];
  readonly #pagesUrl: () => string;

  constructor(pagesUrl: () => string, misbehaviours: Pick<Misbehaviours, 'quirks'>) {
    this.#pagesUrl = pagesUrl;
    this.#banks = LIST.map((one) => {
      const id = `${one.country}:${one.name}`;
      return {
        ...one,
        id,
        usual: new Set(one.quirks),
        get quirks() {
          const added = misbehaviours.quirks(id).map(({ name }) => name);
          return added.length === 0 ? this.usual : new Set([...this.usual, ...added.filter(isQuirk)]);
        },
        methods: one.methods ?? one.types.map(onlyMethod),
        outage: false,
      };
    });
  }

  get(id: string): Bank | null {
    return this.#banks.find((one) => one.id === id) ?? null;
  }

  get countries(): readonly string[] {
    return [...new Set(LIST.map(({ country }) => country))];
  }

  /** In the form of `/aspsps`. */
  list(country: string | null, type: string | null): readonly JsonObject[] {
    return this.#banks
      .filter(
        (one) => (country ?? one.country) === one.country && (type === null || one.types.includes(type)),
      )
      .map((one) => ({
        name: one.name,
        country: one.country,
        logo: this.logoUrl(one),
        psu_types: one.types,
        auth_methods: one.methods.map(methodJson),
        maximum_consent_validity: one.days * DAY_S,
        beta: false,
        bic: null,
        required_psu_headers: [],
      }));
  }

  logoUrl({ id }: Bank): string {
    return `${this.#pagesUrl()}/logos/${fileOf(id)}.svg`;
  }

  ofLogo(file: string): Bank | null {
    return this.#banks.find(({ id }) => `${fileOf(id)}.svg` === file) ?? null;
  }
}

function onlyMethod(psuType: string): SignInMethod {
  return { name: 'web', title: 'Web', psuType, approach: 'REDIRECT', hidden: false, asksFor: [] };
}

function methodJson({ name, title, psuType, approach, hidden, asksFor }: SignInMethod): JsonObject {
  const credentials = asksFor.map((asked) => ({
    name: asked.toLowerCase().replaceAll(' ', '_'),
    title: asked,
    required: true,
    description: null,
    template: null,
  }));
  return {
    name,
    title,
    psu_type: psuType,
    credentials: credentials.length === 0 ? null : credentials,
    approach,
    hidden_method: hidden,
  };
}

function fileOf(id: string): string {
  return digest('logo', id).slice(0, 12);
}

/** A bank's logo: its initial. */
export function logoSvg({ name }: Bank): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f4a80"/>' +
    `<text x="16" y="22" font-family="sans-serif" font-size="17" fill="#fff" text-anchor="middle">${escapeHtml(name.charAt(0))}</text></svg>`
  );
}
