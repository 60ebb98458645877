import { findOpenAccountRecord } from '../../storage/account-records.ts';
import {
  claimCallback,
  type DestinationLinkRow,
  findDestinationLinkOfToken,
  updateDestinationLink,
} from '../../storage/destination-links.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { DestinationLinkStatus } from '../../vocabulary/states.ts';
import { type Requester, requesterOf } from '../linking/hosted-links.ts';
import { authorizationOf, LinkFlow, type LinkKind } from '../linking/link-flow.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { destinationError } from './destination-failures.ts';
import type { DestinationLinkCompletion } from './destination-link-completion.ts';
import {
  type DestinationLinkingDependencies,
  destinationLinkStatus,
  linkingOf,
} from './destination-links.ts';

/** What the hosted page shows before the person signs in. */
export interface DestinationInvitation {
  readonly status: DestinationLinkStatus;
  readonly type: DestinationType;
  readonly renewal: boolean;
  readonly requester: Requester;
  readonly expiresAt: number;
  /** The account record's. */
  readonly timezone: string;
  /** Where to send the person once the link has ended; null while it has not. */
  readonly returnTo: string | null;
}

type Dependencies = DestinationLinkingDependencies & { readonly completion: DestinationLinkCompletion };

/** The person's side of a destination link: everything here is reached with one of the link's tokens alone. */
export class HostedDestinationLinks implements LinkKind<'destination_link', DestinationLinkRow> {
  readonly resource = 'destination_link';
  readonly path = 'connect';
  readonly name = 'destination link';
  readonly flow: LinkFlow<'destination_link', DestinationLinkRow>;
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { clock, limits, publicUrl, tokens: secrets } = deps;
    this.flow = new LinkFlow({ kind: this, secrets, clock, limits, publicUrl });
  }

  /** Raises `resource_missing` for a token that opens nothing. */
  async invitation(token: string): Promise<DestinationInvitation> {
    const link = await this.flow.read(token);
    const record = await findOpenAccountRecord(this.#deps.db, link.account_record);
    if (record === null) throw missing(this.name);
    return {
      status: destinationLinkStatus(link, this.#deps.clock.now()),
      type: link.type,
      renewal: link.renews !== null,
      requester: requesterOf(record),
      expiresAt: link.expires_at.getTime(),
      timezone: record.timezone,
      returnTo: this.flow.leave(link),
    };
  }

  find(id: RowId<'destination_link'>): Promise<DestinationLinkRow | null> {
    return findDestinationLinkOfToken(this.#deps.db, id);
  }

  /** An OAuth code is the proof of one attempt, so all of a link have the same `state`. */
  attemptOf(): number {
    return 0;
  }

  redeemsOnce(): boolean {
    return true;
  }

  /** The vendor's page may be opened any number of times: nothing of it is stored. */
  open(link: DestinationLinkRow): Promise<string> {
    const { connectors, publicUrl, tokens } = this.#deps;
    const linking = linkingOf(connectors, link.type);
    const request = authorizationOf(tokens, publicUrl, link.id, 0);
    return this.#asked(link.type, (within) => linking.begin(request, within));
  }

  async forget(): Promise<void> {
    // Every page of the vendor is a new one.
  }

  claimCallback({ account_record, id }: DestinationLinkRow, now: Date, until: Date): Promise<boolean> {
    return claimCallback(this.#deps.db, account_record, id, now, until);
  }

  async releaseCallback({ account_record, id }: DestinationLinkRow): Promise<void> {
    await updateDestinationLink(this.#deps.db, account_record, id, { landing_until: null });
  }

  /** Exchanges the callback, once. Raises `destination_link_complete_failed` too. */
  async redeem(
    link: DestinationLinkRow,
    query: Readonly<Record<string, string>>,
  ): Promise<DestinationLinkRow> {
    const { completion } = this.#deps;
    const outcome = await this.#exchanged(link, query);
    return outcome.kind === 'linked'
      ? completion.complete(link, outcome.grant, outcome.name)
      : completion.fail(link, outcome.reason, outcome.grant);
  }

  /** A code that arrived too late is exchanged nevertheless, so that the grant can be ended. */
  async redeemLate(link: DestinationLinkRow, query: Readonly<Record<string, string>>): Promise<void> {
    if (query.code === undefined || linkingOf(this.#deps.connectors, link.type).revoke === undefined) return;
    const outcome = await this.#exchanged(link, query);
    const { grant } = outcome;
    if (grant === undefined) return;
    await this.#deps.db.transaction().execute((trx) => this.#deps.completion.giveBack(trx, link, grant));
  }

  /** What was granted is being ended by now. */
  async tooLate(link: DestinationLinkRow): Promise<DestinationLinkRow> {
    return link;
  }

  cancel(link: DestinationLinkRow): Promise<DestinationLinkRow> {
    return this.#deps.completion.fail(link, 'cancelled');
  }

  #exchanged(link: DestinationLinkRow, query: Readonly<Record<string, string>>) {
    const { connectors, publicUrl, tokens } = this.#deps;
    const linking = linkingOf(connectors, link.type);
    const { redirectUri, verifier } = authorizationOf(tokens, publicUrl, link.id, 0);
    return this.#asked(link.type, (within) => linking.complete({ redirectUri, verifier, query }, within));
  }

  /** Not aborted when the person leaves: the callback would be spent and the grant lost. */
  async #asked<T>(type: DestinationType, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#deps;
    try {
      return await withDeadline(clock, limits.read_deadline_ms, new AbortController().signal, work);
    } catch (error) {
      throw destinationError(error, type, `The ${type} service`);
    }
  }
}
