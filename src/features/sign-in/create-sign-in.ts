import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mailer.ts';
import type { Db } from '../../storage/database.ts';
import { deleteInvitationsBefore } from '../../storage/invitations.ts';
import type { Notices } from '../../storage/notices.ts';
import { deleteOneTimeLinksBefore } from '../../storage/one-time-links.ts';
import { deletePastChallenges } from '../../storage/passkeys.ts';
import { deleteEndedWebSessions } from '../../storage/web-sessions.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { AccountRecords } from '../access/account-records.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import { Acceptances } from './acceptances.ts';
import { EmailChanges } from './email-changes.ts';
import { FirstRun } from './first-run.ts';
import { Invitations } from './invitations.ts';
import { Letters, LinkAddresses } from './letters.ts';
import { Members } from './members.ts';
import { PasskeyChallenges, relyingParty } from './passkey-ceremonies.ts';
import { Passkeys } from './passkeys.ts';
import { PasswordResets } from './password-resets.ts';
import { PasswordChecks, Passwords } from './passwords.ts';
import { SecondFactors } from './second-factors.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import { type CookieNames, cookieNames, DeviceTokens } from './session-cookie.ts';
import { SharedRecords } from './shared-records.ts';
import { type NewDeviceHook, SignIn, SignInSteps } from './sign-in.ts';
import { WebSessions } from './web-sessions.ts';

export interface SignInOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly notices: Notices;
  readonly keyring: Keyring;
  readonly attempts: SignInAttempts;
  readonly accountRecords: AccountRecords;
  readonly auditLog: AuditLog;
  /** Null if the operator has set no mail server. */
  readonly mailer: Mailer | null;
  /** The address of the web application, without a trailing slash. */
  readonly appUrl: string;
  readonly onNewDevice: NewDeviceHook;
}

/** People who sign in to the web application, their credentials, and the account records they share. */
export interface SignInFeatures {
  readonly auditLog: AuditLog;
  readonly cookies: CookieNames;
  readonly sessionAuthenticator: SessionAuthenticator;
  readonly webSessions: WebSessions;
  readonly signIn: SignIn;
  readonly passwords: Passwords;
  readonly passwordResets: PasswordResets;
  readonly emailChanges: EmailChanges;
  readonly passkeys: Passkeys;
  readonly secondFactors: SecondFactors;
  readonly firstRun: FirstRun;
  readonly invitations: Invitations;
  readonly acceptances: Acceptances;
  readonly members: Members;
  readonly sharedRecords: SharedRecords;
  readonly linkAddresses: LinkAddresses;
  /** Deletes what has expired. */
  readonly sweep: () => Promise<void>;
}

export function createSignIn(options: SignInOptions): SignInFeatures {
  const cookies = cookieNames(options.appUrl);
  const sessionAuthenticator = new SessionAuthenticator({ ...options, cookies });
  const webSessions = new WebSessions({ ...options, cookies, authenticator: sessionAuthenticator });
  const passwordChecks = new PasswordChecks(options.limits);
  const deviceTokens = new DeviceTokens(options.keyring, cookies);
  const linkAddresses = new LinkAddresses(options.appUrl);
  const letters = new Letters({ ...options, addresses: linkAddresses });
  const shared = { ...options, webSessions, passwordChecks, letters };
  const secondFactors = new SecondFactors(options);
  const signIn = new SignIn({ ...shared, deviceTokens, secondFactors, steps: new SignInSteps(options) });
  const passwords = new Passwords(shared);
  const passkeys = new Passkeys({
    ...shared,
    challenges: new PasskeyChallenges(options),
    signIn,
    relyingParty: relyingParty(options.appUrl),
  });
  return {
    auditLog: options.auditLog,
    cookies,
    sessionAuthenticator,
    webSessions,
    signIn,
    passwords,
    passwordResets: new PasswordResets({ ...shared, passwords, deviceTokens }),
    emailChanges: new EmailChanges(shared),
    passkeys,
    secondFactors,
    firstRun: new FirstRun({ ...shared, passwords, signIn }),
    invitations: new Invitations(shared),
    acceptances: new Acceptances({ ...shared, passwords, passkeys, signIn }),
    members: new Members(shared),
    sharedRecords: new SharedRecords(options),
    linkAddresses,
    sweep: () => sweepSignIn(options),
  };
}

const DAY_MS = 86_400_000;
/** How long links and invitations are kept after they end: long enough to investigate. */
const KEPT_MS = 30 * DAY_MS;

/** Deletes sessions and challenges that have ended, links and invitations that ended long ago, and old audit events. */
async function sweepSignIn({
  auditLog,
  db,
  clock,
  limits,
}: {
  readonly auditLog: Pick<AuditLog, 'sweep'>;
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}): Promise<void> {
  const now = clock.now();
  const idleSince = new Date(now - limits.session_idle_days * DAY_MS);
  await deleteEndedWebSessions(db, new Date(now), idleSince);
  await deletePastChallenges(db, new Date(now));
  await deleteOneTimeLinksBefore(db, new Date(now - KEPT_MS));
  await deleteInvitationsBefore(db, new Date(now - KEPT_MS));
  await auditLog.sweep();
}
