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

  invitation(secret: string): string {
    return `${this.#appUrl}/invitations/${secret}`;
  }
}
