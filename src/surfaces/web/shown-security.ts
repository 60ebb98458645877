import type { SecondFactorState } from '../../features/sign-in/second-factors.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { Invitation } from '../../storage/invitations.ts';
import type { Member } from '../../storage/memberships.ts';
import type { OAuthGrant } from '../../storage/oauth-grants.ts';
import type { Passkey } from '../../storage/passkeys.ts';
import type { WebSession } from '../../storage/web-sessions.ts';
import { MEMBER_ROLES } from '../../vocabulary/member-roles.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** Everything that `/settings/security` shows to one person. */
export interface ShownSecurity {
  readonly email: string;
  readonly signedIn: SignedIn;
  /** Null where browsers offer no passkeys for this service. */
  readonly passkeys: readonly Passkey[] | null;
  readonly secondFactor: SecondFactorState;
  readonly sessions: readonly WebSession[];
  /** The apps that the person let in to this account record. */
  readonly apps: readonly OAuthGrant[];
  readonly members: readonly Member[];
  /** Null for a member who does not manage the others. */
  readonly invitations: readonly Invitation[] | null;
  readonly signOut: string;
  readonly script: string;
}

export async function shownSecurity(options: WebOptions, signedIn: SignedIn): Promise<ShownSecurity> {
  const { appUrl } = options;
  const { user, role, accountRecord } = signedIn.caller;
  const [person, secondFactor, sessions, apps, passkeys, members, invitations] = await Promise.all([
    options.members.person(user),
    options.secondFactors.state(user),
    options.webSessions.list(user),
    options.connectedApps.ofPerson(accountRecord.id, user),
    options.passkeys.list(user),
    options.members.list(accountRecord.id),
    MEMBER_ROLES[role].manages ? options.invitations.list(accountRecord.id) : null,
  ]);
  return {
    email: person.email,
    signedIn,
    passkeys: options.passkeys.offered ? passkeys : null,
    secondFactor,
    sessions,
    apps,
    members,
    invitations,
    signOut: pathOf(appUrl, '/sign-out'),
    script: pathOf(appUrl, '/sign-in/passkeys.js'),
  };
}
