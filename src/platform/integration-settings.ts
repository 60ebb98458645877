import { absolutePath, anyText, baseUrl, oneOf, type Variable, vendorUrl } from './config-values.ts';

/** A setting of one integration, from an environment variable. */
export type IntegrationVariable<T> = Variable<T> & {
  /** The variable's name, for example `NOTION_CLIENT_ID`. */
  readonly env: string;
  /**
   * `credential`: the integration is set up once all of these are given, or all of one alternative. `optional
   * credential`: needed by only some uses of the integration. `address`: where it is reached; only these may be called
   * without the guard on outgoing addresses.
   */
  readonly role: 'address' | 'credential' | 'optional credential' | 'option';
  /** Whether it is a place on this machine and nothing that a vendor gives: it does not turn the sandbox off. */
  readonly isLocal?: true;
};

/** What the configuration needs to know about an integration: its row in the table of integrations. */
export interface IntegrationSettings {
  /** Unique: a provider's identifier or a destination's type. */
  readonly name: string;
  /** In the order of docs/configuration.md. An integration without credentials is always set up. */
  readonly variables: readonly IntegrationVariable<unknown>[];
  /** Sets of credentials, one of which is enough; left out, every credential is needed. */
  readonly alternatives?: readonly (readonly IntegrationVariable<unknown>[])[];
}

/** What the operator set for one integration. */
export interface IntegrationConfig {
  /** Whether every credential it needs is given; true for an integration that needs none. */
  readonly complete: boolean;
  /** Valid values by the name of their variable, defaults included. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Where an integration is reached: https, or http on this machine. */
export function address(env: string, origin: string, purpose: string): IntegrationVariable<string> {
  return { env, role: 'address', parse: vendorUrl, default: origin, form: 'https address', purpose };
}

/**
 * Where the operator's own server of the integration is reached, also inside the operator's network; unset if there is
 * none.
 */
export function ownAddress(env: string, purpose: string): IntegrationVariable<string> {
  return { ...UNSET, env, role: 'address', parse: baseUrl, form: 'http or https address', purpose };
}

/** A page of the integration that people are sent to and this service never calls: no exception to the address guard. */
export function page(env: string, origin: string, purpose: string): IntegrationVariable<string> {
  return { env, role: 'option', parse: baseUrl, default: origin, form: 'http or https address', purpose };
}

/** A credential that is not secret, such as a client id. */
export function credential(env: string, purpose: string): IntegrationVariable<string> {
  return { env, role: 'credential', parse: anyText, ...UNSET, purpose };
}

/** A secret credential, marked as such in the docs. */
export function secret(env: string, purpose: string): IntegrationVariable<string> {
  return credential(env, `${purpose} Secret.`);
}

/** A folder on this machine; the integration is set up only with it. */
export function requiredFolder(env: string, purpose: string): IntegrationVariable<string> {
  const parsed = { parse: absolutePath, form: 'absolute path', purpose };
  return { ...UNSET, ...parsed, env, role: 'credential', isLocal: true };
}

/** A secret that the integration can do without, such as one that verifies webhooks. */
export function optionalSecret(env: string, purpose: string): IntegrationVariable<string> {
  return { ...secret(env, purpose), role: 'optional credential' };
}

/** One of a fixed set of words. */
export function option<const Word extends string>(
  env: string,
  words: readonly Word[],
  standard: NoInfer<Word>,
  purpose: string,
): IntegrationVariable<Word> {
  const shown = words.map((word) => `\`${word}\``);
  const form = [shown.slice(0, -1).join(', '), shown.at(-1)].filter((part) => part !== '').join(' or ');
  return { env, role: 'option', parse: oneOf(words), default: standard, form, purpose };
}

/** Settings of a vendor whose API is called under OAuth, by the names that adapters give them. */
type OAuthSettings<T> = Readonly<
  Record<'baseUrl' | 'tokenUrl' | 'oauthUrl' | 'clientId' | 'clientSecret', T>
>;

/** A default address, and what it serves. */
type Place = readonly [origin: string, purpose: string];

/**
 * The variables of such a vendor: `<prefix>_BASE_URL`, `_TOKEN_URL`, `_OAUTH_URL`, `_CLIENT_ID` and `_CLIENT_SECRET`.
 *
 * @param client what follows `Client id` and `Client secret`: who issues them
 */
export function oauthVariables(
  prefix: string,
  { base, token, pages, client }: { base: Place; token: Place; pages: Place; client: string },
): OAuthSettings<IntegrationVariable<string>> {
  const id = `${prefix}_CLIENT_ID`;
  const key = `${prefix}_CLIENT_SECRET`;
  return {
    baseUrl: address(`${prefix}_BASE_URL`, ...base),
    tokenUrl: address(`${prefix}_TOKEN_URL`, ...token),
    oauthUrl: page(`${prefix}_OAUTH_URL`, ...pages),
    clientId: credential(id, `Client id ${client}; needs \`${key}\`.`),
    clientSecret: secret(key, `Client secret ${client}; needs \`${id}\`.`),
  };
}

const UNSET = { default: null, shownDefault: 'none', form: 'text' } as const;

/** The settings of one integration, each as its variable reads it. */
export class IntegrationValues {
  readonly #name: string;
  readonly #texts: Readonly<Record<string, string>>;

  /** @param texts by the name of their variable */
  constructor(name: string, texts: Readonly<Record<string, string>>) {
    this.#name = name;
    this.#texts = texts;
  }

  /** @throws Error for a variable that is not set, or a value that the configuration rejects */
  get<T>(variable: IntegrationVariable<T>): T {
    const value = this.find(variable);
    if (value === null) throw new Error(`${variable.env} of ${this.#name} is not set.`);
    return value;
  }

  /** The values of `oauthVariables`. @throws Error as `get` does */
  oauth(variables: OAuthSettings<IntegrationVariable<string>>): OAuthSettings<string> {
    return {
      baseUrl: this.get(variables.baseUrl),
      tokenUrl: this.get(variables.tokenUrl),
      oauthUrl: this.get(variables.oauthUrl),
      clientId: this.get(variables.clientId),
      clientSecret: this.get(variables.clientSecret),
    };
  }

  /** The value, or null if it is not set. @throws Error for a value that the configuration rejects */
  find<T>(variable: IntegrationVariable<T>): T | null {
    const text = Object.hasOwn(this.#texts, variable.env) ? this.#texts[variable.env] : undefined;
    if (text === undefined) return null;
    const parsed = variable.parse(text);
    if ('problem' in parsed) throw new Error(`${variable.env} of ${this.#name} ${parsed.problem}.`);
    return parsed.value;
  }
}
