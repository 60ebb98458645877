import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  Authentication,
  type Authenticator,
  type CredentialHeaders,
  type Refusal,
} from '../../src/features/access/authentication.ts';
import type { Caller } from '../../src/features/access/caller.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { CallerKind } from '../../src/vocabulary/caller-kinds.ts';
import { parsePublicId, rowId } from '../../src/vocabulary/ids.ts';
import { impliedScopes, SCOPES, type Scope } from '../../src/vocabulary/scopes.ts';
import { openSurface } from '../surfaces/v2/open-surface.ts';
import { assertDescribed } from './described-answer.ts';
import type { TestOwner, TestService } from './service.ts';
import { type V2Client, v2Client } from './v2-client.ts';

type KeylessKind = Exclude<CallerKind, 'api_key'>;

/** How each kind shows its id where these tests ask: where its real credential will stand, without anything secret. */
const FORMS: Readonly<
  Record<
    KeylessKind,
    {
      readonly headers: (id: string) => Record<string, string>;
      readonly idIn: (headers: CredentialHeaders) => RegExpExecArray | null;
    }
  >
> = {
  oauth_token: {
    headers: (id) => ({ authorization: `Bearer oauth-${id}` }),
    idIn: ({ authorization }) => /^Bearer oauth-(.+)$/.exec(authorization ?? ''),
  },
  session: {
    headers: (id) => ({ authorization: '', cookie: `session=${id}`, 'sec-fetch-site': 'same-origin' }),
    idIn: ({ cookie }) => /^session=(.+)$/.exec(cookie ?? ''),
  },
  bridge_app: {
    headers: (id) => ({ authorization: `Basic ${id}` }),
    idIn: ({ authorization }) => /^Basic (.+)$/.exec(authorization ?? ''),
  },
};

/** Knows one kind of caller by its id, and of no one else. */
class ThrowawayAuthenticator implements Authenticator {
  readonly kind: KeylessKind;
  readonly known = new Map<string, () => Promise<Caller>>();

  constructor(kind: KeylessKind) {
    this.kind = kind;
  }

  credentialIn(headers: CredentialHeaders): string | null {
    return FORMS[this.kind].idIn(headers)?.[1] ?? null;
  }

  identify(id: string): Refusal | Promise<Caller> {
    return this.known.get(id)?.() ?? 'api_key_invalid';
  }
}

/** A caller of the kind, with every scope unless some are named. */
export function callerOf(
  kind: KeylessKind,
  id: string,
  { record }: Pick<TestOwner, 'record'>,
  scopes: readonly Scope[] = SCOPES,
): Caller {
  const caller = { id, accountRecord: record, scopes: impliedScopes(scopes) };
  switch (kind) {
    case 'oauth_token':
      return { ...caller, kind, agentScopes: new Set() };
    case 'session':
      return { ...caller, kind, user: rowId('user', randomUUID()), role: 'owner', began: Date.now() };
    case 'bridge_app':
      return { ...caller, kind, twoDecimals: false, leaveOutExtra: false };
  }
}

/** Someone who asks v2 in one way. */
export interface Asker extends TestOwner {
  readonly kind: CallerKind;
  readonly id: string;
}

export interface SurfaceForAllCallers {
  readonly url: string;
  /** An owner's caller of the kind; one with an API key has the owner's first. */
  asker(
    kind: CallerKind,
    owner: TestOwner,
    more?: { id?: string; scopes?: readonly Scope[] },
  ): Promise<Asker>;
  close(): Promise<void>;
}

/** Further listeners over the service's v2 that take credentials of every kind. */
export async function openSurfaceForAllCallers(
  service: TestService,
  operations: readonly Operation[],
  check: typeof assertDescribed = assertDescribed,
): Promise<SurfaceForAllCallers> {
  const { apiKeyAuthenticator, rateLimits, services } = service.app;
  const throwaways = (['oauth_token', 'session', 'bridge_app'] as const).map(
    (kind) => new ThrowawayAuthenticator(kind),
  );
  const authentication = new Authentication({
    authenticators: [apiKeyAuthenticator, ...throwaways],
    attempts: rateLimits.attempts,
  });
  const surface = await openSurface(service.app, operations, authentication);
  return {
    ...surface,
    asker: async (kind, owner, { id, scopes } = {}) => {
      const client = v2Client(surface.url, owner.key, check);
      if (kind === 'api_key') {
        const key = parsePublicId('api_key', (await owner.v2('GET', '/v2/me')).body.key.id);
        assert.ok(key);
        return { ...owner, kind, id: key, v2: client };
      }
      const own = id ?? randomUUID();
      throwaways
        .find((one) => one.kind === kind)
        ?.known.set(own, async () => {
          const record = await services.accountRecords.find(owner.record.id);
          return callerOf(kind, own, { record }, scopes);
        });
      const v2: V2Client = (method, path, body, headers) =>
        client(method, path, body, { ...FORMS[kind].headers(own), ...headers });
      return { ...owner, kind, id: own, v2 };
    },
  };
}
