/** The methods of every address, to say which ones an address takes when a request uses another. */
export class RouteTable {
  readonly #routes: { readonly address: RegExp; readonly methods: readonly string[] }[] = [];

  /** @param pattern as the router takes it: `/v2/syncs/:id`, `/files/*` */
  add(pattern: string, methods: readonly string[]): void {
    const parts = pattern.split('/').map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    });
    this.#routes.push({ address: new RegExp(`^${parts.join('/')}$`), methods });
  }

  /** What the address takes, in alphabetical order; empty where it leads nowhere. */
  methodsOf(path: string): readonly string[] {
    const found = this.#routes.filter(({ address }) => address.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)].toSorted();
  }
}
