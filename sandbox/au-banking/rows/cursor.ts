import { seedOf } from '../../shared/random.ts';
import type { Point } from './source.ts';

const START: Point = { time: Number.POSITIVE_INFINITY, source: '', position: -1 };

/** An opaque `page[after]` value. It names a place in the order, so rows arriving in front do not shift it. */
export function encodeCursor(point: Point | null): string {
  const { time, source, position } = point ?? START;
  const text = JSON.stringify([Number.isFinite(time) ? time : null, source, position]);
  return `${Buffer.from(text).toString('base64url')}.${seedOf(text).toString(16)}`;
}

/** The place a cursor names, or null for anything this sandbox did not issue. */
export function decodeCursor(cursor: string): Point | null {
  const [body = '', check] = cursor.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (seedOf(text).toString(16) !== check) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return null;
    const [time, source, position]: unknown[] = parsed;
    if (typeof source !== 'string' || typeof position !== 'number') return null;
    if (time === null) return { time: Number.POSITIVE_INFINITY, source, position };
    return typeof time === 'number' ? { time, source, position } : null;
  } catch {
    return null;
  }
}
