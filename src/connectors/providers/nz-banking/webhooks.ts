import { verify } from 'node:crypto';
import { keyedMac, sameBytes } from '../../../platform/keyed-mac.ts';
import { idText, notifiedObject, text, texts, type WireObject } from '../kit/json.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';
import type { NzBankingClient } from './client.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/** Base64 of an RSA signature, of keys up to 8192 bits. */
const SIGNATURE = /^[A-Za-z0-9+/]{1,1366}={0,2}$/;
/** A state and its proof: 16 bytes in base64url. */
const PROOF = /^(.+)\.([\w-]{22})$/s;

/**
 * What a notification says; null if the vendor did not sign it. It contains neither an id nor a time, so one that is
 * sent again counts again: it only says where to look.
 */
export async function receiveWebhook(
  { options }: NzBankingClient,
  keys: WebhookKeys,
  { body, headers }: ProviderWebhook,
  signal: AbortSignal,
): Promise<readonly ProviderSignal[] | null> {
  const id = headers['x-akahu-signing-key'] ?? '';
  const sent = headers['x-akahu-signature'] ?? '';
  if (!SIGNATURE.test(sent)) return null;
  const said = () => notifiedObject(body, options.limits);
  const isOwn = () => isOwnState(stateOf(said()), options.appSecret);
  const key = await keys.find(id, isOwn, signal);
  if (key === null || !verify('sha256', body, key, Buffer.from(sent, 'base64'))) return null;
  keys.keep(id, key);
  const read = said();
  return read === null ? [] : signalsOf(read);
}

function stateOf(said: WireObject | null): string {
  return said === null ? '' : (text(said, 'state') ?? '');
}

/** What each notification is about: `state` contains the user it was subscribed for. Others mean nothing to us. */
export function signalsOf(said: WireObject): ProviderSignal[] {
  const code = text(said, 'webhook_code');
  switch (text(said, 'webhook_type')) {
    case 'TOKEN':
      return code === 'DELETE' ? about('customer', userIn(said), 'ended') : [];
    case 'ACCOUNT':
      return ofAccount(said, code);
    case 'TRANSACTION':
      return code === 'INITIAL_UPDATE' || code === 'DEFAULT_UPDATE' || code === 'DELETE'
        ? about('account', idText(said, 'item_id'), 'data_changed')
        : [];
    default:
      return [];
  }
}

function ofAccount(said: WireObject, code: string | null): ProviderSignal[] {
  const account = idText(said, 'item_id');
  switch (code) {
    case 'CREATE':
      return about('customer', userIn(said), 'accounts_changed');
    case 'DELETE':
      // Without its last account, the login ends too.
      return [...about('account', account, 'accounts_changed'), ...about('account', account, 'ended')];
    case 'UPDATE':
      return [
        ...about('account', account, 'data_changed'),
        ...(texts(said, 'updated_fields').includes('status') ? about('account', account, 'login_lost') : []),
      ];
    case 'MIGRATE':
      return [
        ...about('account', idText(said, 'previous_item_id'), 'accounts_changed'),
        ...about('account', idText(said, 'new_item_id'), 'accounts_changed'),
      ];
    default:
      return [];
  }
}

function userIn(said: WireObject): string | null {
  const state = idText(said, 'state');
  return state === null ? null : userOfState(state);
}

function about(
  kind: ProviderSignal['about']['kind'],
  id: string | null,
  what: ProviderSignal['what'],
): ProviderSignal[] {
  return id === null ? [] : [{ about: { kind, id }, what }];
}

/**
 * The state of a subscription, which the vendor repeats in every notification: the user and a proof that only this app
 * can make. Someone who has never seen a notification cannot forge one with it.
 */
export function stateFor(user: string, appSecret: string | null): string {
  return appSecret === null ? user : `${user}.${proof(user, appSecret)}`;
}

/** The user of a state. One made without a secret is only the user. */
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
