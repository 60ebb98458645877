import { createHash } from 'node:crypto';
import type {
  DestinationConnector,
  DestinationLinking,
  DestinationOpening,
  DestinationResources,
  DestinationSignIn,
  DestinationWriter,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { OutgoingFailure } from '../../../../src/platform/outgoing-failure.ts';
import type { OutgoingHttp, OutgoingRequest } from '../../../../src/platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../../src/platform/outgoing-response.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../../src/vocabulary/upstream-failures.ts';

const SITUATIONS: Readonly<Record<number, UpstreamSituation>> = {
  401: 'grant_rejected',
  404: 'bad_request',
  429: 'rate_limited',
  500: 'server_error',
};

/** Speaks to the Vendor of these tests as a connector speaks to its service: all three capabilities, nothing more. */
export function vendorConnector(
  type: DestinationType,
  origin: string,
  http: OutgoingHttp,
): DestinationConnector {
  const call = async (request: Omit<OutgoingRequest, 'url'> & { path: string }) => {
    const { path, ...rest } = request;
    try {
      return await http.request({ ...rest, url: `${origin}${path}`, maxResponseBytes: 64 * 1024 });
    } catch (error) {
      rest.signal?.throwIfAborted();
      if (!(error instanceof OutgoingFailure)) throw error;
      throw new UpstreamFailure(error.kind === 'timeout' ? 'deadline' : 'connect', error.message);
    }
  };
  const bearer = (grant: string) => ({ authorization: `Bearer ${grant}` });

  const linking: DestinationLinking = {
    begin: async ({ redirectUri, state, verifier }) => {
      const url = new URL('/authorize', origin);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('state', state);
      url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
      return url.href;
    },
    complete: async ({ redirectUri, verifier, query }, signal) => {
      if (query.error !== undefined) return { kind: 'refused', reason: 'access_denied' };
      const body = JSON.stringify({ code: query.code, verifier, redirect_uri: redirectUri });
      const response = await call({ method: 'POST', path: '/token', body, signal });
      if (response.status === 400) return { kind: 'refused', reason: 'unknown' };
      const sent = parsed(response);
      const [grant, name] = [memberOf(sent, 'grant'), memberOf(sent, 'name')];
      if (typeof grant !== 'string') throw new UpstreamFailure('malformed', 'It sent no grant.');
      return { kind: 'linked', grant, name: String(name) };
    },
  };

  const signIn: DestinationSignIn = {
    check: async (owner, secret, signal) => {
      const body = JSON.stringify({ secret });
      const response = await call({ method: 'POST', path: '/sign-in', body, owner, signal });
      if (response.status === 403) return { kind: 'refused', message: 'The server knows no such user.' };
      const sent = parsed(response);
      return {
        kind: 'accepted',
        grant: String(memberOf(sent, 'grant')),
        name: String(memberOf(sent, 'name')),
      };
    },
  };

  const resources: DestinationResources = {
    list: async (access, query, signal) => {
      const grant = await access.current();
      const search = new URLSearchParams({ type: query.type, limit: String(query.limit) });
      if (query.parent !== null) search.set('parent', query.parent);
      const path = `/resources?${search}`;
      const items = memberOf(
        parsed(await call({ method: 'GET', path, headers: bearer(grant), signal })),
        'items',
      );
      if (!Array.isArray(items)) throw new UpstreamFailure('malformed', 'It sent no items.');
      return items;
    },
  };

  return {
    type,
    afterUnknown: 'resend',
    chunkRows: 100,
    chunkBytes: 1024 * 1024,
    ...(DESTINATION_KINDS[type].connects === 'link' ? { linking } : { signIn }),
    resources,
    checkTarget: async (access, { target, places, categories }, signal) => {
      const headers = bearer(await access.current());
      const body = JSON.stringify([...Object.values(target), ...places, ...categories]);
      const answer = parsed(await call({ method: 'POST', path: '/check', headers, body, signal }));
      const gone = memberOf(answer, 'gone');
      if (gone === undefined) throw new UpstreamFailure('malformed', 'It did not say.');
      if (typeof gone !== 'string') return null;
      const message = 'There is no such thing.';
      const [key] = Object.entries(target).find(([, id]) => id === gone) ?? [];
      if (key !== undefined) return { part: 'target', name: key, message };
      return { part: places.includes(gone) ? 'places' : 'categories', name: gone, message };
    },
    create: async (access, { key, name, parent }, signal) => {
      const headers = bearer(await access.current());
      const body = JSON.stringify({ key, name, parent });
      const made = memberOf(
        parsed(await call({ method: 'POST', path: '/things', headers, body, signal })),
        'id',
      );
      if (typeof made !== 'string') throw new UpstreamFailure('malformed', 'It sent no id.');
      const target =
        type === 'ynab'
          ? { budget_id: made }
          : { spreadsheet_id: made, sheet_id: '0', spreadsheet_name: name, sheet_name: 'Rows' };
      return { target, mappings: [] };
    },
    open: async ({ access }: DestinationOpening): Promise<DestinationWriter> => ({
      encode: () => '{}',
      write: async (chunk, signal) => {
        const body = JSON.stringify(chunk.added.map((row) => row.id));
        const response = await call({
          method: 'POST',
          path: '/rows',
          headers: bearer((await access?.current()) ?? ''),
          body,
          signal,
        });
        if (response.status === 401) {
          const known = { outcome: 'refused', retryable: false } as const;
          throw new DestinationFailure('destination_auth_failed', 'The grant was rejected.', known);
        }
        return { rejected: [], remoteRefs: new Map(), existed: new Map() };
      },
      reading: {
        shown: () => ({}),
        keysOf: (id) => [id],
        rows: async function* (signal) {
          const headers = bearer((await access?.current()) ?? '');
          const listed = memberOf(
            parsed(await call({ method: 'GET', path: '/rows', headers, deadlineMs: 3000, signal })),
            'rows',
          );
          if (!Array.isArray(listed)) throw new UpstreamFailure('malformed', 'It sent no rows.');
          yield listed.map((id: unknown) => ({ keys: [String(id)], where: 'there', values: {} }));
        },
      },
      close: async () => undefined,
    }),
  };
}

function parsed(response: OutgoingResponse): unknown {
  const situation = SITUATIONS[response.status];
  if (situation !== undefined) {
    const after = response.header('retry-after');
    const wait = after === undefined ? {} : { retryAfterSeconds: Number(after) };
    throw new UpstreamFailure(situation, `It answered ${response.status}.`, wait);
  }
  try {
    return response.json();
  } catch {
    throw new UpstreamFailure('malformed', 'It did not answer in JSON.');
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
