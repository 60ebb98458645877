import type { Mailer } from '../../platform/mailer.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';

/**
 * The mails that this service sends. They contain no text that others wrote, so no one can use them to send a message.
 */
export class Letters {
  readonly #mailer: Mailer | null;
  readonly #addresses: LinkAddresses;
  readonly #limits: Limits;

  constructor(deps: {
    readonly mailer: Mailer | null;
    readonly addresses: LinkAddresses;
    readonly limits: Limits;
  }) {
    this.#mailer = deps.mailer;
    this.#addresses = deps.addresses;
    this.#limits = deps.limits;
  }

  get configured(): boolean {
    return this.#mailer !== null;
  }

  /** Raises the mail server's errors. */
  async passwordReset(to: string, secret: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Set a new password for Tributary',
      text: `Someone, probably you, asked to set a new password. Open this address within ${this.#limits.password_reset_minutes} minutes:

${this.#addresses.passwordReset(secret)}

If you did not ask for this, ignore this mail: your password stays as it is.
`,
    });
  }

  /** Raises the mail server's errors. */
  async invitation(to: string, secret: string, role: MemberRole): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'You are invited to Tributary',
      text: `Someone invites you to share their accounts in Tributary as ${role}. Open this address within ${this.#limits.invitation_days} days to accept:

${this.#addresses.invitation(secret)}

If you do not know who that is, ignore this mail.
`,
    });
  }

  /** To the address that a person wants to sign in with. Raises the mail server's errors. */
  async confirmEmail(to: string, proof: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Confirm your e-mail address for Tributary',
      text: `Someone, probably you, wants to sign in to Tributary with this e-mail address. Open this address within ${this.#limits.password_reset_minutes} minutes, signed in as before, to confirm that it is yours:

${this.#addresses.confirmEmail(proof)}

If you did not ask for this, ignore this mail: nothing changes.
`,
    });
  }

  /** To the previous address, whose owner may not be the one who changed it. Raises the mail server's errors. */
  async emailChanged(to: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Your e-mail address for Tributary has changed',
      text: `Someone, probably you, now signs in to Tributary with another e-mail address in place of this one.

If that was not you, tell the operator of your Tributary at once.
`,
    });
  }
}

/** The addresses of the pages that a secret opens; `appUrl` has no trailing slash. */
export class LinkAddresses {
  readonly #appUrl: string;

  constructor(appUrl: string) {
    this.#appUrl = appUrl;
  }

  firstRun(secret: string): string {
    return `${this.#appUrl}${SECRET_PATHS.firstRun}/${secret}`;
  }

  passwordReset(secret: string): string {
    return `${this.#appUrl}${SECRET_PATHS.passwordReset}/${secret}`;
  }

  /** The proof works only for the person, signed in. */
  confirmEmail(proof: string): string {
    return `${this.#appUrl}${SECRET_PATHS.emailChange}?token=${proof}`;
  }

  invitation(secret: string): string {
    return `${this.#appUrl}${SECRET_PATHS.invitation}/${secret}`;
  }
}
