import type { AddressGuard } from '../../platform/address-guard.ts';
import { validateWebhookUrl } from '../../platform/webhook-url.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

/** The address in the spelling that is stored. Raises `parameter_invalid` (`webhook_endpoint.url`). */
export function allowedUrl(guard: AddressGuard, text: string): string {
  const judged = validateWebhookUrl(guard, text);
  if ('refusal' in judged) throw invalidParameter('webhook_endpoint.url', judged.refusal);
  return judged.url;
}
