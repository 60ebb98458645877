/** The pages that a secret opens, as people are given them; `appUrl` has no slash at the end. */
export class LinkAddresses {
  readonly #appUrl: string;

  constructor(appUrl: string) {
    this.#appUrl = appUrl;
  }

  firstRun(secret: string): string {
    return `${this.#appUrl}/first-run/${secret}`;
  }

  passwordReset(secret: string): string {
    return `${this.#appUrl}/reset-password/${secret}`;
  }

  /** The proof is of no use to anybody but the person, signed in. */
  confirmEmail(proof: string): string {
    return `${this.#appUrl}/settings/confirm-email?token=${proof}`;
  }

  invitation(secret: string): string {
    return `${this.#appUrl}/invitations/${secret}`;
  }
}
