import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { browserName } from '../../platform/browser-names.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db } from '../../storage/database.ts';
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  notePasskeyUse,
  type Passkey,
  passkeysOf,
} from '../../storage/passkeys.ts';
import { findUser, lockUser, type User as Person } from '../../storage/users.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import {
  type AuthenticationResponse,
  CHALLENGE_MS,
  type PasskeyChallenges,
  type RegistrationResponse,
  type RelyingParty,
} from './passkey-ceremonies.ts';
import type { Visit } from './session-cookie.ts';
import type { NewlySignedIn, SignIn, SignInRefusal } from './sign-in.ts';

type User = RowId<'user'>;

/** The name of a passkey that was created in an unknown browser. */
const UNNAMED = 'Passkey';

export interface PasskeysDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly attempts: SignInAttempts;
  readonly challenges: PasskeyChallenges;
  readonly signIn: SignIn;
  /** Null if browsers offer no passkeys for this service. */
  readonly relyingParty: RelyingParty | null;
}

/**
 * Passkeys (WebAuthn Level 3): registered by a signed-in person, and then enough to sign in without an e-mail address.
 * The authenticator must verify the person each time, since nothing else is asked.
 */
export class Passkeys {
  readonly #deps: PasskeysDependencies;

  constructor(deps: PasskeysDependencies) {
    this.#deps = deps;
  }

  get offered(): boolean {
    return this.#deps.relyingParty !== null;
  }

  /** In the order they were registered. */
  list(user: User): Promise<Passkey[]> {
    return passkeysOf(this.#deps.db, user);
  }

  /** What the browser needs to register one. Raises `resource_missing` where passkeys are not available. */
  async registrationOptions(user: User): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { db, challenges } = this.#deps;
    const party = this.#relyingParty();
    const person = await findUser(db, user);
    if (person === null) throw missing('user');
    const known = await passkeysOf(db, user);
    const asks = { email: person.email, handle: handleOf(user), known };
    const challenge = await challenges.issue(user);
    const { creationOptions } = await verification();
    return creationOptions(party, asks, challenge, CHALLENGE_MS);
  }

  /**
   * Without a name, the passkey is named after the browser. Raises `parameter_invalid` for a response that proves
   * nothing, and if there are too many.
   */
  async register(
    user: User,
    name: string,
    response: RegistrationResponse,
    { userAgent }: Pick<Visit, 'userAgent'>,
  ): Promise<Passkey> {
    const { db, clock, limits, challenges } = this.#deps;
    const party = this.#relyingParty();
    const { madeCredential } = await verification();
    const credential = await madeCredential(party, response, (challenge) => challenges.take(challenge, user));
    if (credential === null) throw unproved();
    const now = new Date(clock.now());
    const passkey: Passkey = {
      id: rowId('passkey', newRowId(clock)),
      user_id: user,
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports,
      name: name.trim() || (browserName(userAgent) ?? UNNAMED),
      last_used_at: null,
      created: now,
    };
    await db.transaction().execute(async (trx) => {
      await lockUser(trx, user);
      if ((await passkeysOf(trx, user)).length >= limits.passkeys_per_user) {
        throw invalidParameter('passkey', `You have ${limits.passkeys_per_user} passkeys; remove one first.`);
      }
      if (!(await insertPasskey(trx, passkey))) throw unproved();
    });
    return passkey;
  }

  /** Raises `resource_missing` for one that is not the person's. */
  async remove(user: User, id: RowId<'passkey'>): Promise<void> {
    if (!(await deletePasskey(this.#deps.db, user, id))) throw missing('passkey');
  }

  /**
   * What the browser needs for a sign-in without an e-mail address. Raises `too_many_auth_attempts`, and
   * `resource_missing` where passkeys are not available.
   */
  async signInOptions({ address }: Visit): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { attempts, challenges } = this.#deps;
    const party = this.#relyingParty();
    await attempts.visit(address);
    const challenge = await challenges.issue(null);
    const { requestOptions } = await verification();
    return requestOptions(party, challenge, CHALLENGE_MS);
  }

  /** Signs in the person whose passkey it is. Raises as `signInOptions`. */
  async signIn(
    response: AuthenticationResponse,
    visit: Visit,
    into: OwnerId | null = null,
  ): Promise<NewlySignedIn | SignInRefusal> {
    const person = await this.prove(response, visit);
    return person === null ? 'refused' : this.#deps.signIn.as(person, visit, 'passkey', into);
  }

  /** Whose passkey it is, or null; like `signIn`, but without signing the person in. */
  async prove(response: AuthenticationResponse, visit: Visit): Promise<Person | null> {
    const { db, clock, attempts, challenges, signIn } = this.#deps;
    const party = this.#relyingParty();
    await attempts.visit(visit.address);
    const passkey = await findPasskeyByCredential(db, response.id);
    const { userHandle } = response.response;
    if (passkey === null || (userHandle !== undefined && !isHandleOf(passkey.user_id, userHandle)))
      return null;
    const person = await findUser(db, passkey.user_id);
    const { signedCounter } = await verification();
    const take = (challenge: string) => challenges.take(challenge, null);
    const counter = await signedCounter(party, passkey, response, take);
    const now = new Date(clock.now());
    const proved = counter !== null && (await notePasskeyUse(db, passkey, { counter, now }));
    if (!proved) signIn.refused(passkey.user_id, visit, 'passkey');
    return proved ? person : null;
  }

  #relyingParty(): RelyingParty {
    const { relyingParty } = this.#deps;
    if (relyingParty === null) throw missing('page');
    return relyingParty;
  }
}

/** Loaded when a passkey is first used: the library takes some 20 MB, and many installations do not need it. */
function verification() {
  return import('./passkey-verification.ts');
}

function unproved(): Error {
  return invalidParameter('passkey', 'The passkey could not be verified; try again.');
}

/** The bytes by which an authenticator identifies the person: their id, which reveals nothing about them. */
function handleOf(user: User): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(user.replaceAll('-', ''), 'hex'));
}

function isHandleOf(user: User, handle: string): boolean {
  return Buffer.from(handle, 'base64url').equals(handleOf(user));
}
