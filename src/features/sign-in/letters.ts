import type { Mailer } from '../../platform/mailer.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';

/** What this service writes to people. Nothing in it was written by anybody else, so it carries nobody's message. */
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

  /** Raises what the mail server says. */
  async passwordReset(to: string, secret: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Set a new password for Tributary',
      text: `Somebody, probably you, asked to set a new password. Open this address within ${this.#limits.password_reset_minutes} minutes:

${this.#addresses.passwordReset(secret)}

If you did not ask for this, ignore this mail: your password stays as it is.
`,
    });
  }

  /** Raises what the mail server says. */
  async invitation(to: string, secret: string, role: MemberRole): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'You are invited to Tributary',
      text: `Somebody invites you to share their accounts in Tributary as ${role}. Open this address within ${this.#limits.invitation_days} days to accept:

${this.#addresses.invitation(secret)}

If you do not know who that is, ignore this mail.
`,
    });
  }

  /** To the address that a person wants to sign in with. Raises what the mail server says. */
  async confirmEmail(to: string, proof: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Confirm your e-mail address for Tributary',
      text: `Somebody, probably you, wants to sign in to Tributary with this e-mail address. Open this address within ${this.#limits.password_reset_minutes} minutes, signed in as before, to confirm that it is yours:

${this.#addresses.confirmEmail(proof)}

If you did not ask for this, ignore this mail: nothing changes.
`,
    });
  }

  /** To the address before, whose owner may not be the one who changed it. Raises what the mail server says. */
  async emailChanged(to: string): Promise<void> {
    await this.#mailer?.send({
      to,
      subject: 'Your e-mail address for Tributary has changed',
      text: `Somebody, probably you, now signs in to Tributary with another e-mail address in place of this one.

If that was not you, tell the operator of your Tributary at once.
`,
    });
  }
}

/** The pages that a secret opens, as people are given them; `appUrl` has no slash at the end. */
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

  /** The proof is of no use to anybody but the person, signed in. */
  confirmEmail(proof: string): string {
    return `${this.#appUrl}${SECRET_PATHS.emailChange}?token=${proof}`;
  }

  invitation(secret: string): string {
    return `${this.#appUrl}${SECRET_PATHS.invitation}/${secret}`;
  }
}
