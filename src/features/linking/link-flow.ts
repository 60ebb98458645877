import type { Clock } from '../../platform/clock.ts';
import type { AuthorizationCallback, AuthorizationRequest } from '../../vocabulary/authorization.ts';
import type { EnteredProblem } from '../../vocabulary/entered-values.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { RETURN_PATH } from '../../vocabulary/page-paths.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { linkSessionStatus } from './link-session-status.ts';
import { withOutcome } from './link-sessions.ts';
import type { LinkNoun, LinkSecrets } from './link-tokens.ts';

/** Longer than a callback's calls to the vendor take: a second callback waits for the first. */
const CALLBACK_MARGIN_MS = 5_000;

/** For a return to the vendor's refusal address without a reason, or with the reason removed. */
const REFUSED = { error: 'access_denied' } as const;

/** What the flow needs to know about a link; both tables have these columns. */
export interface LinkRow<N extends LinkNoun> {
  readonly id: RowId<N>;
  readonly account_record: OwnerId;
  readonly return_url: string;
  readonly failure_reason: string | null;
  readonly landing_until: Date | null;
  readonly expires_at: Date;
  readonly completed_at: Date | null;
  readonly failed_at: Date | null;
}

/** What differs between linking a bank and linking a destination. Methods raise ServiceErrors. */
export interface LinkKind<N extends LinkNoun, Row extends LinkRow<N>> {
  readonly resource: N;
  /** The first part of the hosted page's path. */
  readonly path: 'link' | 'connect';
  /** What the link is called where it is missing. */
  readonly name: string;
  find(id: RowId<N>): Promise<Row | null>;
  /** The attempt whose `state` counts now. */
  attemptOf(row: Row): number;
  /** Whether the code that a person brings back can be redeemed only once. */
  redeemsOnce(row: Row): boolean;
  /**
   * The problem with what the person entered, including that they entered nothing; null if there is none, or if nothing
   * is asked for. Absent if nothing ever is.
   */
  problemWith?(row: Row, entered: string | null): EntryNotice | null;
  /** Whether the vendor's page that is open was opened with the same value. Absent if every value needs a new page. */
  isOpenWith?(row: Row, entered: string): boolean;
  /** The vendor's page, or null if the link ended instead. Concurrent calls get the same page. */
  open(row: Row, entered: string | null): Promise<string | null>;
  /** Makes the next `open` lead to a new page of the vendor, if `attempt` is still the latest. */
  forget(row: Row, attempt: number): Promise<void>;
  claimCallback(row: Row, now: Date, until: Date): Promise<boolean>;
  releaseCallback(row: Row): Promise<void>;
  /** Turns the callback into what was linked, or ends the link. `calledBackAt`: epoch ms of the person's return. */
  redeem(row: Row, query: AuthorizationCallback['query'], calledBackAt: number): Promise<Row>;
  /**
   * Redeems what a person brought back to a link that has expired or ended, so that the consent can be withdrawn
   * instead of remaining at the vendor unseen. Absent if there is no known way to do that.
   */
  redeemLate?(row: Row, query: AuthorizationCallback['query'], calledBackAt: number): Promise<void>;
  /** The person came back to a link that had expired. */
  tooLate(row: Row): Promise<Row>;
  cancel(row: Row): Promise<Row>;
  /** Whether the person is to see the link's own page before they return, because of how it ended. */
  staysAfter?(row: Row): Promise<boolean>;
}

/** Why the value that a person entered is asked for again; `nothing`: they have entered none. */
export type EntryNotice = EnteredProblem | 'nothing';

/** Why a person who came back is shown the link's page again. */
export type LinkNotice = 'other_browser' | 'replaced' | EntryNotice;

/** What to do with the person next. `waiting`: the outcome is not known yet. `page`: the link's own page. */
export type LinkStep =
  | { readonly kind: 'go'; readonly url: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'page'; readonly url: string; readonly notice: LinkNotice | null };

/** A cookie that shows that the returning browser is the one that left. */
export interface BrowserProof {
  readonly name: string;
  readonly value: string;
  /** Where it is to be shown. */
  readonly address: string;
  /** How long it is kept. */
  readonly seconds: number;
}

export interface LinkFlowOptions<N extends LinkNoun, Row extends LinkRow<N>> {
  readonly kind: LinkKind<N, Row>;
  readonly secrets: LinkSecrets<N>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Absolute, without a trailing slash. */
  readonly publicUrl: string;
}

const redirectUriOf = (publicUrl: string): string => `${publicUrl}${RETURN_PATH}`;

/** The link's part of a request to a vendor. */
export function authorizationOf<N extends LinkNoun>(
  secrets: LinkSecrets<N>,
  publicUrl: string,
  link: RowId<N>,
  attempt: number,
): AuthorizationRequest {
  return {
    redirectUri: redirectUriOf(publicUrl),
    state: secrets.state.tokenOf(link, attempt),
    refusal: secrets.refusal.tokenOf(link, attempt),
    verifier: secrets.verifierOf(link, attempt),
  };
}

/**
 * The one authorisation flow of banks and destinations: from the hosted page to the vendor and back. A callback counts
 * only with two proofs: the `state` of the last attempt, which only the vendor's redirect carries, and a cookie of the
 * browser in which Continue was pressed. Without both, someone may have sent the vendor's address to another person, to
 * gain access to that person's data. One callback at a time redeems it, and nothing cancels that.
 */
export class LinkFlow<N extends LinkNoun, Row extends LinkRow<N>> {
  readonly #options: LinkFlowOptions<N, Row>;

  constructor(options: LinkFlowOptions<N, Row>) {
    this.#options = options;
  }

  /** The link that a token of the hosted page opens; null for none. Does not call the vendor. */
  linkOfPage(token: string): RowId<N> | null {
    return this.#options.secrets.page.linkOf(token);
  }

  /** The link that `state` names; null for none. Does not call the vendor. */
  linkOfState(state: string): RowId<N> | null {
    const { secrets } = this.#options;
    return secrets.state.linkOf(state) ?? secrets.refusal.linkOf(state);
  }

  /** The link of a token of the hosted page. Raises `resource_missing` where it opens nothing, as all methods do. */
  async read(token: string): Promise<Row> {
    return this.#find(this.linkOfPage(token));
  }

  /** Where to send the person once the link has ended; null while it has not. */
  leave(row: Row): string | null {
    const { kind, clock } = this.#options;
    switch (linkSessionStatus(row, clock.now())) {
      case 'completed':
        return withOutcome(row.return_url, 'completed', kind.resource);
      case 'failed':
        return withOutcome(row.return_url, { failed: row.failure_reason ?? 'unknown' }, kind.resource);
      case 'expired':
        return withOutcome(row.return_url, { failed: 'session_expired' }, kind.resource);
      case 'pending':
        return null;
    }
  }

  /**
   * The vendor's page. May be called again while the link is open. Raises the `upstream_…` codes.
   *
   * @param entered what the person entered on the link's page, which is shown again if it cannot be used
   */
  async begin(
    token: string,
    entered: string | null = null,
  ): Promise<LinkStep & { readonly proof: BrowserProof | null }> {
    const { kind } = this.#options;
    const row = await this.read(token);
    const ended = this.leave(row);
    if (ended !== null) return { kind: 'go', url: ended, proof: null };
    const problem = kind.problemWith?.(row, entered) ?? null;
    if (problem !== null) return { ...this.#backToPage(row, problem), proof: null };
    // An earlier page was opened with another value.
    if (entered !== null && kind.problemWith !== undefined && kind.isOpenWith?.(row, entered) !== true)
      await kind.forget(row, kind.attemptOf(row));
    const url = await kind.open(row, entered);
    if (url === null) return { ...(await this.#where(row.id)), proof: null };
    return { kind: 'go', url, proof: this.#proofOf(row.id) };
  }

  /** Like `begin`, but with a new page of the vendor if `attempt` is the latest: for a person whose page is used up. */
  async beginAnew(
    token: string,
    attempt: number,
    entered: string | null = null,
  ): Promise<LinkStep & { readonly proof: BrowserProof | null }> {
    const row = await this.read(token);
    if (this.leave(row) === null) await this.#options.kind.forget(row, attempt);
    return this.begin(token, entered);
  }

  /** The person turned back before the vendor. */
  async cancel(token: string): Promise<LinkStep> {
    const row = await this.read(token);
    const ended = this.leave(row);
    if (ended !== null) return { kind: 'go', url: ended };
    return this.#step(await this.#options.kind.cancel(row));
  }

  /**
   * The person came back from the vendor. Any number of callbacks have the same result: one asks the vendor, and the
   * others wait for it. Raises the `upstream_…` codes; the link is then as it was.
   */
  async handleCallback(
    state: string,
    query: AuthorizationCallback['query'],
    cookieOf: (name: string) => string | null,
  ): Promise<LinkStep> {
    const { kind, clock, secrets } = this.#options;
    const calledBackAt = clock.now();
    const granted = secrets.state.subjectOf(state);
    const subject = granted ?? secrets.refusal.subjectOf(state);
    const found = await this.#find(subject?.link ?? null);
    if (isUnderWay(found, calledBackAt)) return { kind: 'waiting' };
    const proven =
      granted !== null && granted.attempt === kind.attemptOf(found) && this.#isSameBrowser(found, cookieOf);
    const row = proven ? await this.#afterLate(found, query, calledBackAt) : found;
    if (isUnderWay(row, calledBackAt)) return { kind: 'waiting' };
    if (linkSessionStatus(row, calledBackAt) === 'expired') return this.#step(await kind.tooLate(row));
    if (this.leave(row) !== null) return this.#step(row);
    const attempt = kind.attemptOf(row);
    if (subject?.attempt !== attempt) return this.#backToPage(row, 'replaced');
    if (!this.#isSameBrowser(row, cookieOf)) {
      // Its page at the vendor is used up: continuing needs a new one.
      await kind.forget(row, attempt);
      return this.#backToPage(row, 'other_browser');
    }
    if (!(await this.#claim(row, calledBackAt))) return this.#where(row.id);
    try {
      const redeemed = await kind.redeem(
        row,
        granted === null ? { ...REFUSED, ...query } : query,
        calledBackAt,
      );
      if (this.leave(redeemed) === null) await kind.releaseCallback(row);
      return this.#step(redeemed);
    } catch (error) {
      // If this fails too, the next callback waits until the claim has expired.
      if (kind.redeemsOnce(row)) await kind.forget(row, attempt).catch(() => undefined);
      await kind.releaseCallback(row).catch(() => undefined);
      throw error;
    }
  }

  /** What a person can do after a callback that failed: call back again, or start again on the page of this token. */
  async afterFailure(state: string): Promise<{ readonly again: boolean; readonly page: string }> {
    const { kind, secrets } = this.#options;
    const link = this.linkOfState(state);
    const row = link === null ? null : await kind.find(link);
    return {
      again: row !== null && !kind.redeemsOnce(row),
      page: link === null ? '' : secrets.page.tokenOf(link),
    };
  }

  /** The row after what the person brought back to an ended link was redeemed, if that can be done only once. */
  async #afterLate(row: Row, query: AuthorizationCallback['query'], calledBackAt: number): Promise<Row> {
    const { kind } = this.#options;
    const status = linkSessionStatus(row, calledBackAt);
    if (status !== 'expired' && status !== 'failed') return row;
    if (kind.redeemLate === undefined || !kind.redeemsOnce(row)) return row;
    // If it only expired, nothing else may end it while it is being redeemed.
    if (status === 'expired' && !(await this.#claim(row, calledBackAt))) return this.#find(row.id);
    // The link has ended either way; the sweep ends grants that could not be read.
    await kind.redeemLate(row, query, calledBackAt).catch(() => undefined);
    if (status === 'expired') await kind.releaseCallback(row).catch(() => undefined);
    return this.#find(row.id);
  }

  #claim(row: Row, calledBackAt: number): Promise<boolean> {
    const { kind, limits } = this.#options;
    const until = new Date(calledBackAt + limits.read_deadline_ms + CALLBACK_MARGIN_MS);
    return kind.claimCallback(row, new Date(calledBackAt), until);
  }

  #isSameBrowser({ id }: Row, cookieOf: (name: string) => string | null): boolean {
    return this.#options.secrets.browser.linkOf(cookieOf(this.#proofName(id)) ?? '') === id;
  }

  async #step(row: Row): Promise<LinkStep> {
    const url = this.leave(row);
    if (url !== null && (await this.#options.kind.staysAfter?.(row))) return this.#backToPage(row, null);
    return url === null ? { kind: 'waiting' } : { kind: 'go', url };
  }

  async #where(id: RowId<N>): Promise<LinkStep> {
    return this.#step(await this.#find(id));
  }

  #backToPage(row: Row, notice: LinkNotice | null): LinkStep {
    const { kind, secrets, publicUrl } = this.#options;
    return { kind: 'page', url: `${publicUrl}/${kind.path}/${secrets.page.tokenOf(row.id)}`, notice };
  }

  #proofOf(link: RowId<N>): BrowserProof {
    const { secrets, limits, publicUrl } = this.#options;
    return {
      name: this.#proofName(link),
      value: secrets.browser.tokenOf(link),
      address: redirectUriOf(publicUrl),
      seconds: limits.link_session_minutes * 60,
    };
  }

  /** One for each link, since a person may have several open. The prefix keeps other hosts from setting it. */
  #proofName(link: RowId<N>): string {
    const prefix = this.#options.publicUrl.startsWith('https:') ? '__Host-' : '';
    return `${prefix}link_${publicId(this.#options.kind.resource, link)}`;
  }

  async #find(id: RowId<N> | null): Promise<Row> {
    const { kind } = this.#options;
    const row = id === null ? null : await kind.find(id);
    if (row === null) throw missing(kind.name);
    return row;
  }
}

/** Whether another callback is asking the vendor: its result counts, even if the link expires meanwhile. */
function isUnderWay(row: LinkRow<LinkNoun>, now: number): boolean {
  const open = row.completed_at === null && row.failed_at === null;
  return open && row.landing_until !== null && row.landing_until.getTime() > now;
}
