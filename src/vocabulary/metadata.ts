import { LIMITS } from './limits.ts';
import { invalidParameter } from './service-error.ts';

/** Up to 50 string pairs (docs/api-conventions.md#metadata). */
export type Metadata = Readonly<Record<string, string>>;
/** In an update a key set to null is unset. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

/** The metadata after a patch: pairs of `old` that the patch does not name stay; a key set to null is removed. */
export function mergeMetadata(old: Metadata | null, patch: MetadataPatch): Metadata {
  const merged = new Map(Object.entries(old ?? {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Whether the pairs fit: a patch may be small and still push the whole over the limit. */
export function metadataFits(metadata: Metadata, maxPairs: number = LIMITS.metadata_pairs.default): boolean {
  return Object.keys(metadata).length <= maxPairs;
}

/** Raises `parameter_invalid` (`metadata`) if there are more pairs than LIMIT_METADATA_PAIRS. */
export function requireFittingMetadata(metadata: Metadata | null | undefined, maxPairs: number): void {
  if (metadata == null || metadataFits(metadata, maxPairs)) return;
  throw invalidParameter('metadata', `metadata holds at most ${maxPairs} pairs.`);
}
