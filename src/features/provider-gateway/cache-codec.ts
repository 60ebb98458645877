import type { CacheEntry } from './gateway-cache.ts';

/** Raised when the shape of an entry changes, so that a new release does not read what an old one cached. */
const FORMAT = 3;

interface Envelope {
  readonly format: typeof FORMAT;
  readonly expiresAt: number;
  readonly entry: CacheEntry;
}

/** The entry as JSON with the moment it ends. */
export function encodeEntry(entry: CacheEntry, expiresAt: number): string {
  const envelope: Envelope = { format: FORMAT, expiresAt, entry };
  return JSON.stringify(envelope);
}

/** The entry, or null when it is past its time or of another release. The text was sealed by us: its inside is ours. */
export function decodeEntry(text: string, now: number): CacheEntry | null {
  const envelope: unknown = JSON.parse(text);
  return isEnvelope(envelope) && envelope.expiresAt > now ? envelope.entry : null;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
}
