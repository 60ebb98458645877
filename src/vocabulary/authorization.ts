/**
 * What every authorisation at a vendor receives, for banks as for destinations: OAuth 2 with PKCE where the vendor
 * supports it, and what vendors use instead.
 */
export interface AuthorizationRequest {
  /** One fixed address for all links, because vendors require it to be registered. */
  readonly redirectUri: string;
  /**
   * To be sent back unchanged, in the query parameter `state`, only by the redirect: if the vendor accepts the address
   * itself, an adapter adds it to the address's query.
   */
  readonly state: string;
  /**
   * In place of `state`, for vendors that accept a separate address for refusals: a person who cancels at the vendor
   * sees that address, and must not see what proves a consent.
   */
  readonly refusal?: string;
  /** PKCE code verifier of this link, 43 characters. */
  readonly verifier: string;
}

export interface AuthorizationCallback {
  readonly redirectUri: string;
  readonly verifier: string;
  /** The query with which the person came back, without `state`. Untrusted. */
  readonly query: Readonly<Record<string, string>>;
}
