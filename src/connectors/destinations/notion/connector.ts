import { Value } from 'typebox/value';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type {
  CreatedTarget,
  CreationRequest,
  DestinationAccess,
  DestinationConnector,
  DestinationLinking,
  DestinationOpening,
  DestinationResources,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationTools } from '../destination-integration.ts';
import { asUpstream } from '../kit/failures.ts';
import { OAuth, sharesTokens, writeGrant } from '../kit/oauth.ts';
import { PERSON_WAIT_MS, VendorClient } from '../kit/vendor-client.ts';
import { NotionApi } from './client.ts';
import { makeDatabase } from './creation.ts';
import { judgeNotion } from './failures.ts';
import { checkDatabase, listDatabases } from './resources.ts';
import { TokenBody } from './wire.ts';
import { NotionWriter } from './writer.ts';

const NAME = 'Notion';
const HEADERS = { 'notion-version': '2025-09-03' } as const;
/** About fifteen seconds of work, so that little is unconfirmed if a process dies. */
const CHUNK_ROWS = 50;
const CHUNK_BYTES = 512 * 1024;

interface NotionSettings {
  readonly baseUrl: string;
  /** Where browsers reach the authorisation page. */
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Databases in Notion. Its API has no key to recognise a row that is sent twice, so rows are looked up. */
export class NotionConnector implements DestinationConnector {
  readonly type = 'notion';
  readonly afterUnknown = 'look_up';
  readonly chunkRows: number = CHUNK_ROWS;
  readonly chunkBytes = CHUNK_BYTES;
  readonly linking: DestinationLinking;
  readonly resources: DestinationResources;
  readonly #client: VendorClient;
  readonly #tools: DestinationTools;

  constructor(settings: NotionSettings, tools: DestinationTools) {
    const { baseUrl, oauthUrl, clientId, clientSecret } = settings;
    const base = baseUrl.replace(/\/+$/, '');
    const oauth = new OAuth(
      {
        name: NAME,
        authorizeUrl: `${oauthUrl.replace(/\/+$/, '')}/v1/oauth/authorize`,
        tokenUrl: `${base}/v1/oauth/token`,
        revokeUrl: `${base}/v1/oauth/revoke`,
        revokes: 'access',
        clientId,
        clientSecret,
        credentialsIn: 'header',
        bodies: 'json',
        scope: null,
        pkce: false,
        parameters: { owner: 'user' },
        headers: HEADERS,
      },
      tools,
    );
    const vendor = { name: NAME, baseUrl: base, headers: HEADERS, judge: judgeNotion };
    this.#client = new VendorClient({ vendor, oauth, ...tools });
    this.#tools = tools;
    this.linking = linkingOf(oauth);
    this.resources = {
      list: (access, { limit }, signal) =>
        asUpstream(
          () => listDatabases(new NotionApi(this.#client, access, PERSON_WAIT_MS), limit, signal),
          signal,
        ),
    };
  }

  async open(opening: DestinationOpening): Promise<NotionWriter> {
    const { target, access } = opening;
    const database = target.database_id;
    if (access === null || database === undefined) {
      const known = { outcome: 'refused', retryable: false } as const;
      throw new DestinationFailure(
        'run_failed',
        'The Notion destination has no grant or no database.',
        known,
      );
    }
    return new NotionWriter(new NotionApi(this.#client, access), this.#tools.clock, database, opening);
  }

  checkTarget(
    access: DestinationAccess,
    question: TargetQuestion,
    signal: AbortSignal,
  ): Promise<TargetProblem | null> {
    const api = new NotionApi(this.#client, access, PERSON_WAIT_MS);
    return asUpstream(() => checkDatabase(api, question, signal), signal);
  }

  create(access: DestinationAccess, request: CreationRequest, signal: AbortSignal): Promise<CreatedTarget> {
    return makeDatabase(new NotionApi(this.#client, access, PERSON_WAIT_MS), request, signal);
  }
}

function linkingOf(oauth: OAuth): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: async (callback, signal) => {
      const answer = await oauth.exchange(callback, signal);
      if (typeof answer === 'string') return { kind: 'refused', reason: answer };
      const { access, refresh, expires, body } = answer;
      if (!Value.Check(TokenBody, body)) {
        throw new UpstreamFailure('malformed', 'Notion did not say whose token it issued.');
      }
      const grant = writeGrant({ access, refresh, expires, holder: body.bot_id });
      return { kind: 'linked', grant, name: body.workspace_name || NAME };
    },
    revoke: (grant, signal) => oauth.revoke(grant, signal),
    endsWith: sharesTokens,
  };
}
