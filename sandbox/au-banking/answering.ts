import type { Reply } from '../shared/reply.ts';
import { vendorErrorOf } from '../shared/vendor-error.ts';
import type { SimulatedVendor } from '../shared/vendor-http.ts';
import { errorReply } from './error-body.ts';
import { type ApiVersion, versionOf } from './request.ts';
import type { Route } from './routes.ts';
import type { Tokens } from './token.ts';

/** What answers a request that asks for no version. */
const PINNED: ApiVersion = 'v3';

/** How the vendor answers and refuses: by version, with a token, in two forms of errors. Pages know neither. */
export function answering(
  tokens: Tokens,
  baseUrl: () => string,
): Pick<SimulatedVendor<Route>, 'handle' | 'refuse' | 'expireToken'> {
  return {
    handle: (route, request) => {
      if (route.kind === 'page') return route.handle({ ...request, version: PINNED }, baseUrl());
      const version = versionOf(request.headers, PINNED);
      try {
        if (route.token) tokens.check(request.headers.authorization);
        return echo(route.handle({ ...request, version }, baseUrl()), version);
      } catch (error) {
        return echo(errorReply(vendorErrorOf(error), route.kind), version);
      }
    },
    refuse: (error, route) => echo(errorReply(error, route?.kind === 'data' ? 'data' : 'framework'), PINNED),
    expireToken: (authorization) => tokens.expire(authorization),
  };
}

function echo(reply: Reply, version: ApiVersion): Reply {
  return { ...reply, headers: { ...reply.headers, 'x-fiskil-version': version } };
}
