/**
 * Purposes of MACs whose texts are not stored, so that no rotation can recompute them: the subkey of each outlives
 * its encryption key (docs/decisions/0015). It checks MACs of its purpose and opens nothing.
 */
export const MAC_PURPOSES = [
  'account-number',
  'destination-target',
  'idempotency-key',
  'link-token',
  'link-state',
  'link-refusal',
  'link-browser',
  'link-verifier',
  'destination-link-token',
  'destination-link-state',
  'destination-link-refusal',
  'destination-link-browser',
  'destination-link-verifier',
] as const;
