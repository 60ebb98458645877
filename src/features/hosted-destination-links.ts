import { findAccountRecord } from '../storage/account-records.ts';
import {
  claimLanding,
  type DestinationLinkRow,
  findDestinationLinkOfToken,
  updateDestinationLink,
} from '../storage/destination-links.ts';
import type { DestinationType } from '../vocabulary/destinations.ts';
import { publicId, type RowId } from '../vocabulary/ids.ts';
import { missing } from '../vocabulary/service-error.ts';
import type { DestinationLinkStatus } from '../vocabulary/states.ts';
import { destinationError } from './destination-failures.ts';
import type { DestinationLinkCompletion } from './destination-link-completion.ts';
import {
  type DestinationLinkingDependencies,
  destinationLinkStatus,
  linkingOf,
  redirectUriOf,
} from './destination-linking.ts';
import { type LinkStep, maskEmail } from './hosted-links.ts';
import { withDeadline } from './provider-gateway/deadline.ts';
import { withOutcome } from './return-url.ts';

/** Longer than one exchange may take: what came back counts once, so a second landing waits for the first. */
const LANDING_MARGIN_MS = 5_000;

/** What the hosted page says before the person signs in. */
export interface DestinationInvitation {
  readonly status: DestinationLinkStatus;
  readonly type: DestinationType;
  readonly renewal: boolean;
  readonly maskedEmail: string;
  readonly expiresAt: number;
  /** Where to send the person once the link has ended; null while it has not. */
  readonly returnTo: string | null;
}

/** A cookie by which a browser that comes back is known for the one that went. */
export interface BrowserProof {
  readonly name: string;
  readonly value: string;
  /** Where it is to be shown. */
  readonly address: string;
  /** How long it is kept. */
  readonly seconds: number;
}

/** One for each link: a person may have several open. */
const proofName = (link: DestinationLinkRow['id']): string => `link_${publicId('destination_link', link)}`;

/** The person's side of a destination link: everything here is reached with one of the link's tokens alone. */
export class HostedDestinationLinks {
  readonly #deps: DestinationLinkingDependencies & { readonly completion: DestinationLinkCompletion };

  constructor(deps: DestinationLinkingDependencies & { readonly completion: DestinationLinkCompletion }) {
    this.#deps = deps;
  }

  /** Raises `resource_missing` for a token that opens nothing, as all methods do. */
  async invitation(token: string): Promise<DestinationInvitation> {
    const link = await this.#link(this.#deps.tokens.page.linkOf(token));
    const record = await findAccountRecord(this.#deps.db, link.account_record);
    if (record === null) throw missing('destination link');
    return {
      status: destinationLinkStatus(link, this.#deps.clock.now()),
      type: link.type,
      renewal: link.renews !== null,
      maskedEmail: maskEmail(record.email),
      expiresAt: link.expires_at.getTime(),
      returnTo: this.#ended(link),
    };
  }

  /** The vendor's page. May be asked for again while the link lives. Raises the `upstream_…` codes. */
  async begin(token: string, signal: AbortSignal): Promise<LinkStep> {
    const { connectors, publicUrl, tokens } = this.#deps;
    const link = await this.#link(tokens.page.linkOf(token));
    const ended = this.#ended(link);
    if (ended !== null) return { kind: 'go', url: ended };
    const request = {
      redirectUri: redirectUriOf(publicUrl),
      state: tokens.state.tokenOf(link.id),
      verifier: tokens.verifierOf(link.id),
    };
    const linking = linkingOf(connectors, link.type);
    const url = await this.#asked(link.type, signal, (within) => linking.begin(request, within));
    return { kind: 'go', url };
  }

  /** What a browser keeps that went on from the link's page; null for a token that opens nothing. */
  proofOf(token: string): BrowserProof | null {
    const { tokens, limits, publicUrl } = this.#deps;
    const link = tokens.page.linkOf(token);
    if (link === null) return null;
    return {
      name: proofName(link),
      value: tokens.browser.tokenOf(link),
      address: redirectUriOf(publicUrl),
      seconds: limits.link_session_minutes * 60,
    };
  }

  /** The person turned back before signing in. */
  async cancel(token: string): Promise<LinkStep> {
    const link = await this.#link(this.#deps.tokens.page.linkOf(token));
    const ended = this.#ended(link);
    if (ended !== null) return { kind: 'go', url: ended };
    return this.#leave(await this.#deps.completion.fail(link, 'cancelled'));
  }

  /** The token of the hosted page of the link that `state` names, so that a person can begin again; null for none. */
  pageOf(state: string): string | null {
    const { page, state: states } = this.#deps.tokens;
    const link = states.linkOf(state);
    return link === null ? null : page.tokenOf(link);
  }

  /**
   * The person came back from the vendor. However many landings there are, one exchanges what came back and the others
   * wait for it. Whoever comes back without the proof has not seen who asks: somebody may have sent them the vendor's
   * address, to be given access to what is theirs. They are shown the link's page, and what came back is not exchanged.
   * Raises the `upstream_…` codes and `destination_link_complete_failed`; the link is then as it was, and the person
   * can begin again.
   */
  async land(
    state: string,
    query: Readonly<Record<string, string>>,
    proof: (name: string) => string | null,
  ): Promise<LinkStep> {
    const { db, clock, limits, completion, connectors, publicUrl, tokens } = this.#deps;
    const link = await this.#link(tokens.state.linkOf(state));
    const ended = this.#ended(link);
    if (ended !== null) return { kind: 'go', url: ended };
    if (tokens.browser.linkOf(proof(proofName(link.id)) ?? '') !== link.id) {
      return { kind: 'go', url: `${publicUrl}/connect/${tokens.page.tokenOf(link.id)}` };
    }
    const linking = linkingOf(connectors, link.type);
    const now = clock.now();
    const until = new Date(now + limits.read_deadline_ms + LANDING_MARGIN_MS);
    if (!(await claimLanding(db, link.account_record, link.id, new Date(now), until))) {
      return this.#leave(await this.#link(link.id));
    }
    try {
      // Not ended by a person who leaves: what came back would be spent and the grant lost.
      const { signal } = new AbortController();
      const landing = { redirectUri: redirectUriOf(publicUrl), verifier: tokens.verifierOf(link.id), query };
      const came = await this.#asked(link.type, signal, (within) => linking.complete(landing, within));
      return this.#leave(
        came.kind === 'linked'
          ? await completion.complete(link, came.grant, came.name)
          : await completion.fail(link, came.reason),
      );
    } catch (error) {
      // Where this fails too, the next landing waits until the claim has run out.
      await updateDestinationLink(db, link.account_record, link.id, { landing_until: null }).catch(
        () => null,
      );
      throw error;
    }
  }

  async #asked<T>(
    type: DestinationType,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, limits } = this.#deps;
    try {
      return await withDeadline(clock, limits.read_deadline_ms, signal, work);
    } catch (error) {
      throw destinationError(error, `The ${type} service`);
    }
  }

  async #link(id: RowId<'destination_link'> | null): Promise<DestinationLinkRow> {
    const link = id === null ? null : await findDestinationLinkOfToken(this.#deps.db, id);
    if (link === null) throw missing('destination link');
    return link;
  }

  #leave(link: DestinationLinkRow): LinkStep {
    const url = this.#ended(link);
    return url === null ? { kind: 'waiting' } : { kind: 'go', url };
  }

  #ended(link: DestinationLinkRow): string | null {
    const name = 'destination_link';
    switch (destinationLinkStatus(link, this.#deps.clock.now())) {
      case 'completed':
        return withOutcome(link.return_url, 'completed', name);
      case 'failed':
        return withOutcome(link.return_url, { failed: link.failure_reason ?? 'unknown' }, name);
      case 'expired':
        return withOutcome(link.return_url, { failed: 'session_expired' }, name);
      case 'pending':
        return null;
    }
  }
}
