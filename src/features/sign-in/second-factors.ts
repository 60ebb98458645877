import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { opaqueSecretHash } from '../../platform/random-text.ts';
import { newRowId } from '../../platform/row-id.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  noteStep,
  putSecondFactor,
  replaceRecoveryCodes,
  type SecondFactor,
  spendRecoveryCode,
} from '../../storage/second-factors.ts';
import { findUser } from '../../storage/users.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { type AuditActor, type AuditLog, byCaller, type Origin } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { SignedIn } from './session-authenticator.ts';

type User = RowId<'user'>;

/** What authenticator apps assume (RFC 6238); some ignore other values. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** As RFC 4226 recommends, section 4. */
const SECRET_BYTES = 20;
/** One step to either side, for a clock that is off (RFC 6238, section 5.2). */
const WINDOW = 1;
/** How long a secret waits for its first code: as long as the page that shows it can be used. */
const ENROLMENT_MS = 15 * 60_000;
const ISSUER = 'Tributary';

export const RECOVERY_CODES = 10;
/** 80 bits, so that their hash needs to be no slower than that of any other random secret. */
const RECOVERY_BYTES = 10;
const RECOVERY_CODE = /^[a-z2-7]{16}$/;

/** How a person proved that they have the second factor. */
export type SecondProof = 'second_factor' | 'recovery_code';

/** What a person needs to set up their authenticator app; shown once. */
export interface Enrolment {
  /** `otpauth://totp/…`, for a QR code. */
  readonly uri: string;
  /** The same secret in base32, to type. */
  readonly secret: string;
}

export interface SecondFactorState {
  /** Null if it is off. */
  readonly since: Date | null;
  readonly recoveryCodes: number;
}

export interface SecondFactorsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly attempts: SignInAttempts;
  readonly auditLog: AuditLog;
}

/**
 * Codes of an authenticator app in addition to the password (docs/sign-in.md#second-factor). A code works once, and so
 * does a recovery code in its place. Secrets are sealed; only hashes of recovery codes are stored.
 */
export class SecondFactors {
  readonly #deps: SecondFactorsDependencies;
  readonly #sealer: Sealer;

  constructor(deps: SecondFactorsDependencies) {
    this.#deps = deps;
    this.#sealer = new Sealer(deps.keyring, 'second-factors');
  }

  async state(user: User): Promise<SecondFactorState> {
    const { db } = this.#deps;
    const since = (await findSecondFactor(db, user))?.confirmed_at ?? null;
    return { since, recoveryCodes: since === null ? 0 : await countRecoveryCodes(db, user) };
  }

  async isOn(user: User): Promise<boolean> {
    return (await this.state(user)).since !== null;
  }

  /**
   * The secret that waits for its first code. It stays the same for some minutes, so that reloading the page does not
   * invalidate a secret that the app has already scanned. Raises `parameter_invalid` if the factor is on.
   */
  async enrol(user: User): Promise<Enrolment> {
    const { db, clock } = this.#deps;
    const [person, known] = [await findUser(db, user), await findSecondFactor(db, user)];
    if (person === null) throw missing('user');
    const isCurrent = known !== null && clock.now() - known.created.getTime() < ENROLMENT_MS;
    if (known !== null && known.confirmed_at === null && isCurrent) {
      return enrolmentOf(totpOf(this.#secretOf(known), person.email));
    }
    const secret = randomBytes(SECRET_BYTES);
    const id = newRowId(clock);
    const factor = {
      id,
      user_id: user,
      secret: this.#sealer.seal(secret, contextOf(id)),
      last_step: 0,
      confirmed_at: null,
      created: new Date(clock.now()),
    };
    if (!(await putSecondFactor(db, factor))) throw alreadyOn();
    return enrolmentOf(totpOf(secret, person.email));
  }

  /** Turns it on with a code of the newest secret; returns the recovery codes. Raises `parameter_invalid`. */
  async confirm(signedIn: SignedIn, code: string, from: Origin): Promise<readonly string[]> {
    const { db, clock, auditLog, attempts } = this.#deps;
    const { user } = signedIn.caller;
    await attempts.secondFactor(user);
    const factor = await findSecondFactor(db, user);
    if (factor === null) throw wrongCode();
    if (factor.confirmed_at !== null) throw alreadyOn();
    const step = this.#stepOf(factor, code);
    if (step === null) throw wrongCode();
    return db.transaction().execute(async (trx) => {
      if (!(await confirmSecondFactor(trx, factor, { step, now: new Date(clock.now()) }))) throw wrongCode();
      const entry = { kind: 'second_factor.enabled', by: byCaller(signedIn.caller), from } as const;
      await auditLog.recordOfPerson(trx, user, entry);
      return this.#newCodes(trx, user);
    });
  }

  /** New recovery codes that replace all others. Raises `parameter_invalid` if the factor is off. */
  async renewCodes(signedIn: SignedIn, from: Origin): Promise<readonly string[]> {
    const { db, auditLog } = this.#deps;
    const { user } = signedIn.caller;
    if (!(await this.isOn(user))) throw off();
    return db.transaction().execute(async (trx) => {
      const entry = { kind: 'recovery_codes.replaced', by: byCaller(signedIn.caller), from } as const;
      await auditLog.recordOfPerson(trx, user, entry);
      return this.#newCodes(trx, user);
    });
  }

  /** Turns it off, for the person or the operator. Raises `parameter_invalid` if it is off. */
  async disable(user: User, by: AuditActor, from: Origin | null): Promise<void> {
    const { db, auditLog } = this.#deps;
    if (!(await this.isOn(user))) throw off();
    await db.transaction().execute(async (trx) => {
      await deleteSecondFactor(trx, user);
      await auditLog.recordOfPerson(trx, user, { kind: 'second_factor.disabled', by, from });
    });
  }

  /**
   * Uses a code of the app, or a recovery code; null for anything else. Attempts are counted per person, since only
   * someone who knows the password gets this far. Raises `too_many_auth_attempts`.
   */
  async prove(user: User, text: string, { address }: Origin): Promise<SecondProof | null> {
    const { db, clock, attempts } = this.#deps;
    await attempts.visit(address);
    await attempts.secondFactor(user);
    const factor = await findSecondFactor(db, user);
    if (factor?.confirmed_at == null) return null;
    const code = normalised(text);
    if (RECOVERY_CODE.test(code)) {
      const spent = await spendRecoveryCode(db, user, opaqueSecretHash(code), new Date(clock.now()));
      return spent ? 'recovery_code' : null;
    }
    const step = this.#stepOf(factor, code);
    return step !== null && (await noteStep(db, factor, step)) ? 'second_factor' : null;
  }

  /** The time step that the code belongs to; null for a wrong one. */
  #stepOf(factor: SecondFactor, text: string): number | null {
    const code = normalised(text);
    if (!/^\d{6}$/.test(code)) return null;
    const timestamp = this.#deps.clock.now();
    const totp = totpOf(this.#secretOf(factor), '');
    const delta = totp.validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? null : totp.counter({ timestamp }) + delta;
  }

  #secretOf({ id, secret }: SecondFactor): Buffer {
    return this.#sealer.open(Buffer.from(secret), contextOf(id));
  }

  async #newCodes(trx: Trx, user: User): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      new Secret({ buffer: bufferOf(randomBytes(RECOVERY_BYTES)) }).base32.toLowerCase(),
    );
    await replaceRecoveryCodes(
      trx,
      user,
      codes.map((code) => opaqueSecretHash(code)),
    );
    return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
  }
}

function totpOf(secret: Uint8Array, label: string): TOTP {
  return new TOTP({
    ...TOTP_SETTINGS,
    issuer: ISSUER,
    label,
    secret: new Secret({ buffer: bufferOf(secret) }),
  });
}

function enrolmentOf(totp: TOTP): Enrolment {
  return { uri: totp.toString(), secret: totp.secret.base32 };
}

/** A copy of just the bytes: Node's may be part of a larger buffer. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function contextOf(id: string): string {
  return `second_factors/${id}/secret`;
}

/** As people type it: apps show `123 456`, and recovery codes are written in groups. */
function normalised(text: string): string {
  return text.slice(0, 64).replace(/[\s-]/g, '').toLowerCase();
}

function wrongCode(): Error {
  return invalidParameter('code', 'This code is wrong, or was used already. Wait for the next one.');
}

function alreadyOn(): Error {
  return invalidParameter('code', 'The second factor is on already.');
}

function off(): Error {
  return invalidParameter('code', 'The second factor is off.');
}
