import { createHash, randomUUID } from 'node:crypto';

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
}

interface Family {
  refresh: string;
  readonly access: Set<string>;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** Codes that count once and refresh tokens that count once: who uses one a second time loses the whole grant. */
export class SignIns {
  readonly #codes = new Map<string, Code>();
  readonly #families = new Set<Family>();
  readonly #spent = new Map<string, Family>();
  /** The only address that people are sent back to. */
  redirectUri = '';
  /** Refresh tokens that were used twice. */
  reused = 0;

  /** Where the person goes after consenting; null for a request from an address that is not registered. */
  authorize(query: URLSearchParams): string | null {
    if (query.get('redirect_uri') !== this.redirectUri) return null;
    const code = randomUUID();
    this.#codes.set(code, {
      challenge: query.get('code_challenge') ?? '',
      redirectUri: this.redirectUri,
    });
    const back = new URL(this.redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return back.href;
  }

  /** Null: `invalid_grant`. */
  exchange(form: Readonly<Record<string, string>>): Tokens | null {
    return form.refresh_token === undefined ? this.#first(form) : this.#next(form.refresh_token);
  }

  /** A grant as a person would have given it, for tests that begin after that. */
  grant(): Tokens {
    const family: Family = { refresh: '', access: new Set() };
    this.#families.add(family);
    return this.#renewed(family);
  }

  accepts(access: string): boolean {
    return [...this.#families].some((family) => family.access.has(access));
  }

  /** Grants that stand. */
  get count(): number {
    return this.#families.size;
  }

  /** Ends the grant a token belongs to; false if it is over already. */
  revoke(token: string): boolean {
    const family = [...this.#families].find(({ refresh, access }) => refresh === token || access.has(token));
    return family !== undefined && this.#families.delete(family);
  }

  /** Every access token is over, as an hour later. */
  expire(): void {
    for (const family of this.#families) family.access.clear();
  }

  #first({ code = '', verifier = '', redirect_uri: redirectUri }: Readonly<Record<string, string>>) {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return known?.challenge === challenge && known.redirectUri === redirectUri ? this.grant() : null;
  }

  #next(refresh: string): Tokens | null {
    const stolen = this.#spent.get(refresh);
    if (stolen !== undefined) {
      this.reused += 1;
      this.#families.delete(stolen);
    }
    const family = [...this.#families].find((one) => one.refresh === refresh);
    return family === undefined ? null : this.#renewed(family);
  }

  #renewed(family: Family): Tokens {
    if (family.refresh !== '') this.#spent.set(family.refresh, family);
    family.refresh = `refresh-${randomUUID()}`;
    const access = `access-${randomUUID()}`;
    family.access.clear();
    family.access.add(access);
    return { access, refresh: family.refresh };
  }
}
