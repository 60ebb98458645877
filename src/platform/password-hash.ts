import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { sameBytes } from './keyed-mac.ts';

const derive = promisify(argon2);

/** Parameters of argon2id (RFC 9106): KiB of memory, passes over it, lanes. */
interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** 19 MiB and two passes: the least that OWASP recommends, because a household's server may be small. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** This service's hashes are far below; no other value in the column may make a sign-in take a gigabyte. */
const MOST_MEMORY = 262_144;
const MOST_PASSES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,86})$/;

/** Whether a password matches the hash, and whether the hash has outdated parameters. */
export interface PasswordVerdict {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/** The password's hash as a PHC string, which names its own parameters. Takes about 25 ms on another thread. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashOf(password, salt, COST, HASH_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/**
 * Compares a password with a hash. Without a hash, or with one that cannot be read, it takes as long as with one and
 * never matches: the time of an answer must not reveal whether such a person exists.
 */
export async function verifyPassword(password: string, phc: string | null): Promise<PasswordVerdict> {
  const known = phc === null ? null : parsed(phc);
  const { salt, hash, cost } = known ?? {
    salt: randomBytes(SALT_BYTES),
    hash: randomBytes(HASH_BYTES),
    cost: COST,
  };
  const matches = sameBytes(await hashOf(password, salt, cost, hash.length), hash) && known !== null;
  const outdated =
    cost.memory !== COST.memory || cost.passes !== COST.passes || cost.parallelism !== COST.parallelism;
  return { matches, outdated };
}

interface KnownHash {
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly cost: Cost;
}

function parsed(phc: string): KnownHash | null {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(phc) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const usable =
    cost.passes >= 1 &&
    cost.passes <= MOST_PASSES &&
    cost.parallelism >= 1 &&
    cost.memory >= 8 * cost.parallelism &&
    cost.memory <= MOST_MEMORY;
  return usable ? { salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64'), cost } : null;
}

function hashOf(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // One encoding for characters that browsers on different systems encode differently.
  return derive('argon2id', { ...cost, message: password.normalize('NFKC'), nonce, tagLength });
}

/** Without padding, as PHC strings have it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
