import { keyedMac, sameBytes } from '../../../platform/keyed-mac.ts';

/** 16 bytes in base64url. */
const PROOF = /^(.+)\.([\w-]{22})$/s;

/**
 * The state of a subscription, which the vendor repeats in every notification: the user and a proof that only this app
 * can make. Someone who has seen no notification cannot write one with it.
 */
export function stateFor(user: string, appSecret: string | null): string {
  return appSecret === null ? user : `${user}.${proof(user, appSecret)}`;
}

/** The user of a state. A state of an earlier version is the user alone. */
export function userOfState(state: string): string {
  return PROOF.exec(state)?.[1] ?? state;
}

/** Whether this app made the state. False for one made with an earlier secret. */
export function isOwnState(state: string, appSecret: string | null): boolean {
  const [, user, given] = PROOF.exec(state) ?? [];
  if (user === undefined || given === undefined || appSecret === null) return false;
  return sameBytes(Buffer.from(given), Buffer.from(proof(user, appSecret)));
}

function proof(user: string, appSecret: string): string {
  const mac = keyedMac(Buffer.from(appSecret), 'notification', user);
  return mac.subarray(0, 16).toString('base64url');
}
