import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { CallQuota } from '../shared/call-quota.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { invalid } from './errors.ts';

const VERSION = '2025-09-03';

/** Checks who calls, with which version, and how often. */
export class Credentials {
  readonly #authorizationServer: AuthorizationServer;
  readonly #quota: CallQuota;

  constructor(authorizationServer: AuthorizationServer, quota: CallQuota) {
    this.#authorizationServer = authorizationServer;
    this.#quota = quota;
  }

  /** Whose token a call has. */
  botOf({ headers }: SimulatedRequest): string {
    const bot = this.#authorizationServer.subjectOf(headers.authorization);
    if (bot === null) throw new VendorError(401, 'unauthorized', 'API token is invalid.');
    requireVersion(headers['notion-version']);
    const wait = this.#quota.take(bot);
    if (wait !== null) {
      throw new VendorError(
        429,
        'rate_limited',
        'You have been rate limited. Please try again in a few minutes.',
        {
          'retry-after': String(Math.ceil(wait / 1000)),
        },
      );
    }
    return bot;
  }

  /** The calls of OAuth have the client's own credentials, only by Basic authentication. */
  requireClient({ headers }: SimulatedRequest): string {
    const { authorization = '' } = headers;
    if (!/^Basic /i.test(authorization)) {
      throw new VendorError(401, 'unauthorized', 'The client authenticates with HTTP Basic here.');
    }
    requireVersion(headers['notion-version']);
    return authorization;
  }
}

function requireVersion(version: string | string[] | undefined): void {
  if (version === undefined) {
    throw new VendorError(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    );
  }
  if (version !== VERSION)
    throw invalid(`Notion-Version header failed validation: Notion-Version header should be "${VERSION}".`);
}
