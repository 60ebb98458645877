import { errors } from 'oidc-provider';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import { hasPlainHost } from '../../vocabulary/plain-hosts.ts';
import { asking } from './asking.ts';

/** For the whole call; the person waits for it. */
const DEADLINE_MS = 5_000;
export const CLIENT_DOCUMENT_BYTES = 16 * 1024;
/** Fetched at once in this process, for all callers together. */
const MOST_AT_ONCE = 16;
/** Of those, for one person, and from one host. */
const SHARE_AT_ONCE = 2;
/** The name under which these calls share sockets and DNS lookups. */
const OWNER = 'oauth-client-documents';

/**
 * Fetches the metadata documents of apps at the https addresses that are their client ids, through the guarded client,
 * since anyone can choose the address. Only for a signed-in person, with limits per person and per host: otherwise
 * strangers could keep everyone else waiting. The library caches the documents (at most 100) and validates them.
 */
export class ClientDocuments {
  readonly #http: Pick<OutgoingHttp, 'request'>;
  readonly #underWay: { readonly user: string; readonly host: string }[] = [];

  constructor(http: Pick<OutgoingHttp, 'request'>) {
    this.#http = http;
  }

  /**
   * Whether to fetch a document that is not cached; it has to be at a plain host. Raises DocumentsBusy, which is not
   * the app's fault.
   */
  admit(clientId: string): boolean {
    const user = asking.getStore()?.user ?? null;
    const url = new URL(clientId);
    if (user === null || !hasPlainHost(url)) return false;
    if (!this.#hasRoom({ user, host: url.host })) throw new DocumentsBusy();
    return true;
  }

  /** In the form of the platform's `fetch`, which is what the library calls. */
  readonly fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== 'https:') throw new TypeError('a client id is an https address');
    const call = { user: asking.getStore()?.user ?? '', host: url.host };
    if (!this.#hasRoom(call)) throw new DocumentsBusy();
    this.#underWay.push(call);
    try {
      const answer = await this.#http.request({
        method: 'GET',
        url,
        owner: OWNER,
        deadlineMs: DEADLINE_MS,
        maxResponseBytes: CLIENT_DOCUMENT_BYTES,
        expect: 'json',
      });
      if (answer.status !== 200) return new Response(null, { status: 502 });
      const caching = answer.header('cache-control');
      return new Response(new Uint8Array(answer.body), {
        headers: caching === undefined ? {} : { 'cache-control': caching },
      });
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(call), 1);
    }
  };

  #hasRoom({ user, host }: { readonly user: string; readonly host: string }): boolean {
    const held = (does: (call: { readonly user: string; readonly host: string }) => boolean): number =>
      this.#underWay.filter(does).length;
    return (
      this.#underWay.length < MOST_AT_ONCE &&
      held((call) => call.user === user) < SHARE_AT_ONCE &&
      held((call) => call.host === host) < SHARE_AT_ONCE
    );
  }
}

/** Too many documents are being fetched. Not `invalid_client`, which would make an app register again. */
export class DocumentsBusy extends errors.TemporarilyUnavailable {
  override readonly statusCode = 503;

  constructor() {
    super('too many documents of apps are being fetched; try again in a minute');
  }
}
