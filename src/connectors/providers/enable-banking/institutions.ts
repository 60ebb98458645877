import {
  type LinkTerms,
  type LinkWay,
  MOST_WAYS,
  type SignInMethod,
} from '../../../vocabulary/link-terms.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, list, malformed, nameText, rowsOf, text, texts, type WireObject } from '../kit/json.ts';
import type { ProviderInstitution } from '../provider-contract.ts';
import type { EnableBankingClient, EnableBankingOptions } from './client.ts';

/** The list changes by the week, and reading it takes a call for each country. */
const KEPT_MS = 3_600_000;
/** Countries read at the same time. */
const AT_ONCE = 4;
const MOST_COUNTRIES = 60;
const COUNTRY = /^[A-Z]{2}$/;
const SEPARATOR = ':';
/** The longest that a consent may last (Delegated Regulation (EU) 2022/2360); some banks allow less. */
const LONGEST_S = 180 * 86_400;
const DAY_S = 86_400;
const APPROACHES: ReadonlyMap<string, SignInMethod['approach']> = new Map([
  ['REDIRECT', 'redirect'],
  ['DECOUPLED', 'decoupled'],
  ['EMBEDDED', 'embedded'],
]);
/** The most that a bank is shown to ask for. */
const MOST_ASKED = 6;

/** Whose accounts a person links: `psu_type` of the vendor. */
export type PsuType = EnableBankingOptions['psuType'];

/** A way to sign in, as it is asked for; without a method, the vendor takes the bank's usual one. */
export interface ChosenWay {
  readonly psuType: PsuType;
  /** `auth_method` of the vendor. */
  readonly method: string | null;
}

/** A bank as the vendor lists it. Its name is unique within its country, and identifies it in calls. */
export interface Bank {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly logo: string | null;
  /** Kinds of accounts, the operator's choice first. */
  readonly psuTypes: readonly [PsuType, ...PsuType[]];
  readonly methods: readonly BankMethod[];
  /** Seconds. */
  readonly longestConsent: number;
}

interface BankMethod extends SignInMethod {
  readonly psuType: PsuType;
  /** What calls name it by. */
  readonly key: string;
}

interface Kept {
  readonly banks: readonly Bank[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The banks of every country that the application is registered for, read by country and kept for an hour. */
export class Banks {
  readonly #client: EnableBankingClient;
  readonly #kept = new Map<string, Kept>();

  constructor(client: EnableBankingClient) {
    this.#client = client;
  }

  /** All of them. The application itself is read each time, which also shows whether our key is accepted. */
  async list(signal: AbortSignal): Promise<ProviderInstitution[]> {
    const application = await this.#client.get('/application', signal);
    const countries = [...new Set(texts(application, 'countries'))].filter((one) => COUNTRY.test(one));
    if (countries.length > MOST_COUNTRIES) throw malformed('it names too many countries');
    const banks: Bank[] = [];
    for (let begin = 0; begin < countries.length; begin += AT_ONCE) {
      const some = countries.slice(begin, begin + AT_ONCE).map((country) => this.#of(country, signal));
      for (const list of await Promise.all(some)) for (const bank of list) banks.push(bank);
      if (banks.length > this.#client.options.limits.list_rows) throw malformed('its list does not end');
    }
    return banks.map(({ id, name, country, logo }) => ({
      id,
      name: `${name} (${country})`,
      shortName: name,
      logo: logo ?? '',
      available: true,
      status: null,
    }));
  }

  /** The bank of an institution's id. Raises UpstreamFailure if the vendor has no such bank. */
  async require(id: string, signal: AbortSignal): Promise<Bank> {
    const country = id.slice(0, 2);
    const banks = COUNTRY.test(country) ? await this.#of(country, signal) : [];
    const bank = banks.find((one) => one.id === id);
    if (bank === undefined) throw new UpstreamFailure('other', 'It does not connect to this bank any more.');
    return bank;
  }

  async #of(country: string, signal: AbortSignal): Promise<readonly Bank[]> {
    const { clock, limits, psuType } = this.#client.options;
    const kept = this.#kept.get(country);
    const age = kept === undefined ? -1 : clock.now() - kept.at;
    if (kept !== undefined && age >= 0 && age < KEPT_MS) return kept.banks;
    const at = clock.now();
    const query = { country, service: 'AIS' };
    // A country has more than a thousand banks, each with what payments need: more than the bytes of a short list.
    const answer = await this.#client.get('/aspsps', signal, { query, kind: { answer: 'page' } });
    const rows = rowsOf(answer, 'aspsps');
    if (rows.length > limits.list_rows) throw malformed('its list does not end');
    const banks = rows.flatMap((row) => mapBank(row, psuType) ?? []);
    if (this.#kept.size < MOST_COUNTRIES || this.#kept.has(country)) this.#kept.set(country, { banks, at });
    return banks;
  }
}

/** One bank; null for one that cannot be named in a call. */
export function mapBank(row: WireObject, wanted: PsuType): Bank | null {
  const name = nameText(row, 'name');
  const country = idText(row, 'country');
  if (name === null || country === null || !COUNTRY.test(country) || name !== text(row, 'name')) return null;
  const types = texts(row, 'psu_types');
  const other = wanted === 'personal' ? 'business' : 'personal';
  const hasOther = types.includes(other);
  const psuTypes: Bank['psuTypes'] =
    !types.includes(wanted) && hasOther ? [other] : hasOther ? [wanted, other] : [wanted];
  const seconds = Number(text(row, 'maximum_consent_validity') ?? Number.NaN);
  return {
    id: bankId(country, name),
    name,
    country,
    logo: text(row, 'logo'),
    psuTypes,
    methods: methodsOf(row, psuTypes),
    longestConsent: seconds > 0 ? Math.min(seconds, LONGEST_S) : LONGEST_S,
  };
}

/** The id of an institution: the vendor has none but country and name. */
export function bankId(country: string, name: string): string {
  return `${country}${SEPARATOR}${name}`;
}

/** Methods that can be asked for by name. */
function methodsOf(row: WireObject, psuTypes: Bank['psuTypes']): readonly BankMethod[] {
  return list(row, 'auth_methods').flatMap((method) => {
    const key = idText(method, 'name');
    if (key === null) return [];
    const shown = {
      key,
      name: nameText(method, 'title') ?? key,
      approach: APPROACHES.get(text(method, 'approach') ?? '') ?? null,
      asksFor: list(method, 'credentials')
        .flatMap((credential) => nameText(credential, 'title') ?? nameText(credential, 'name') ?? [])
        .slice(0, MOST_ASKED),
    };
    const only = text(method, 'psu_type');
    return psuTypes
      .filter((psuType) => only === null || only === psuType)
      .map((psuType) => ({ ...shown, psuType }));
  });
}

/**
 * What is shown of a bank before a link. Where it has several methods, each is offered besides the usual one: the vendor
 * uses hidden ones only if asked (docs/decisions/0041-enable-banking.md#ways-to-sign-in).
 */
export function termsOf({ country, psuTypes, methods, longestConsent }: Bank): LinkTerms {
  const ways = psuTypes.flatMap((psuType): LinkWay[] => {
    const accounts = psuTypes.length === 1 ? null : psuType;
    const own = methods.filter((method) => method.psuType === psuType);
    const named = own.length < 2 ? [] : own;
    return [
      { id: psuType, accounts, method: null },
      ...named.map(({ key, name, approach, asksFor }) => ({
        id: `${psuType}${SEPARATOR}${key}`,
        accounts,
        method: { name, approach, asksFor },
      })),
    ];
  });
  return { country, consentDays: Math.floor(longestConsent / DAY_S), ways: ways.slice(0, MOST_WAYS) };
}

/** The way of an id that `termsOf` gave; null for any other text. */
export function wayOf(bank: Bank, id: string): ChosenWay | null {
  for (const psuType of bank.psuTypes) {
    if (id === psuType) return { psuType, method: null };
    const found = bank.methods.find(
      (method) => method.psuType === psuType && id === `${psuType}${SEPARATOR}${method.key}`,
    );
    if (found !== undefined) return { psuType, method: found.key };
  }
  return null;
}
