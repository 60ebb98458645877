/**
 * What every authorisation at a vendor receives, for banks as for destinations: OAuth 2 with PKCE where the vendor
 * supports it, and what vendors use instead.
 */
export interface AuthorizationRequest {
  /** One fixed address for all links, as vendors want it registered. */
  readonly redirectUri: string;
  /**
   * To be sent back as it is, in the query parameter `state`, by the redirect alone: where the vendor takes the address
   * itself, an adapter puts it into the address' query.
   */
  readonly state: string;
  /**
   * In place of `state`, for vendors that take a separate address for refusals: a person who cancels at the vendor sees
   * what that address carries, and must not see what proves a consent.
   */
  readonly refusal?: string;
  /** PKCE code verifier of this link, 43 characters. */
  readonly verifier: string;
}

export interface AuthorizationCallback {
  readonly redirectUri: string;
  readonly verifier: string;
  /** The query the person came back with, without `state`. Untrusted. */
  readonly query: Readonly<Record<string, string>>;
}
