/** What a browser is answered, without following it. */
export interface Visit {
  readonly status: number;
  readonly location: string;
  readonly html: string;
  readonly headers: Headers;
}

/** A browser that keeps the cookies it is given and shows them on every visit. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  async visit(
    address: string,
    method: 'GET' | 'HEAD' | 'POST' = 'GET',
    sent: Record<string, string> = {},
    signal: AbortSignal | null = null,
    form: Record<string, string> = {},
  ): Promise<Visit> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...sent },
      redirect: 'manual',
      signal,
      ...(method === 'POST' ? { body: new URLSearchParams(form) } : {}),
    });
    const { status, headers } = response;
    for (const text of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.#cookies.set(name, value);
    }
    return { status, headers, location: headers.get('location') ?? '', html: await response.text() };
  }
}
