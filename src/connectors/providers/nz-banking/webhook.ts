import { verify } from 'node:crypto';
import { brokenBound } from '../../../platform/json-bounds.ts';
import { isWireObject, type WireObject } from '../kit/json.ts';
import { idText, text, texts } from '../kit/members.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';
import type { NzBankingClient } from './client.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/**
 * What a notification says; null where the vendor did not sign it. The vendor puts no moment into it, so one that is sent
 * again counts again: it only says where to look.
 */
export async function receiveWebhook(
  { options }: NzBankingClient,
  keys: WebhookKeys,
  { body, headers }: ProviderWebhook,
  signal: AbortSignal,
): Promise<readonly ProviderSignal[] | null> {
  const id = headers['x-akahu-signing-key'] ?? '';
  const signature = Buffer.from(headers['x-akahu-signature'] ?? '', 'base64');
  const key = signature.length === 0 ? null : await keys.find(id, signal);
  if (key === null || !verify('sha256', body, key, signature)) return null;
  keys.keep(id, key);
  const { answer_depth: depth, answer_values: values } = options.limits;
  if (brokenBound(body, { depth, values }) !== null) return [];
  const said = parsed(body);
  return said === null ? [] : signalsOf(said);
}

/** What each notification is about: `state` is the user it was subscribed for. Others say nothing to us. */
export function signalsOf(said: WireObject): ProviderSignal[] {
  const code = text(said, 'webhook_code');
  switch (text(said, 'webhook_type')) {
    case 'TOKEN':
      return code === 'DELETE' ? about('customer', idText(said, 'state'), 'ended') : [];
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
      return about('customer', idText(said, 'state'), 'accounts_changed');
    case 'DELETE':
      // The last account of a login takes the login with it.
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

function about(
  kind: ProviderSignal['about']['kind'],
  id: string | null,
  what: ProviderSignal['what'],
): ProviderSignal[] {
  return id === null ? [] : [{ about: { kind, id }, what }];
}

function parsed(body: Uint8Array): WireObject | null {
  try {
    const said: unknown = JSON.parse(new TextDecoder().decode(body));
    return isWireObject(said) ? said : null;
  } catch {
    return null;
  }
}
