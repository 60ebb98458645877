import { createHmac } from 'node:crypto';
import { isRecord } from '../shared/json.ts';

/** HMAC-SHA256 over compact JSON with sorted members, in base64: what the vendor makes both sides sign. */
export function signatureOf(value: unknown, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(sorted(value)))
    .digest('base64');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
