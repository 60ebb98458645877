/** What a request is matched with. */
export interface RoutePath {
  readonly method: string;
  /** Path with `:name` segments. */
  readonly path: string;
}

/** The route of a request with its path parameters, or null. */
export function matchRoute<Route extends RoutePath>(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | null {
  const given = path.split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== given.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((segment, index) => {
      const actual = given[index] ?? '';
      if (!segment.startsWith(':')) return segment === actual;
      params[segment.slice(1)] = actual;
      return actual !== '';
    });
    if (fits) return { route, params };
  }
  return null;
}
