/** What `GET /v2/destinations/{id}/resources` can list (docs/resources.md#destination). */
export const DESTINATION_RESOURCE_TYPES = [
  'spreadsheet',
  'sheet',
  'database',
  'base',
  'table',
  'budget',
  'account',
  'category',
  'schema',
  'folder',
] as const;
export type DestinationResourceType = (typeof DESTINATION_RESOURCE_TYPES)[number];

/** Why a destination link ended without a destination. Connectors report the first two. */
export const DESTINATION_LINK_FAILURE_REASONS = [
  'access_denied',
  'unknown',
  'cancelled',
  'destination_deleted',
] as const;
export type DestinationLinkFailureReason = (typeof DESTINATION_LINK_FAILURE_REASONS)[number];
