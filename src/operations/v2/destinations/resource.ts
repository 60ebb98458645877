import { type Static, Type } from 'typebox';
import type { ListedResources } from '../../../features/destinations/destination-resources.ts';
import type { Destination } from '../../../features/destinations/destinations.ts';
import { DESTINATION_TYPES } from '../../../vocabulary/destination-kinds.ts';
import { DESTINATION_RESOURCE_TYPES } from '../../../vocabulary/destinations.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { DESTINATION_STATUSES } from '../../../vocabulary/states.ts';
import { SYNC_TYPES } from '../../../vocabulary/syncs.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';

const configSchema = Type.Object(
  { signing_secret: Type.String({ description: 'Shown only by create and rotate_secret.' }) },
  { additionalProperties: false },
);

/** docs/resources.md#destination. The keys of `target` follow the type. */
export const destinationSchema = resource('destination', {
  id: idOf('destination'),
  object: Type.Literal('destination'),
  type: oneOf(DESTINATION_TYPES),
  name: Type.String(),
  status: oneOf(DESTINATION_STATUSES),
  target: Type.Record(Type.String(), Type.String()),
  config: nullable(configSchema),
  sync_count: Type.Integer({ minimum: 0 }),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.name_characters);

/** Which keys a target has follows from the type, which only the destination knows. */
const targetPatch = Type.Record(Type.String(), Type.String({ maxLength: FIXED_LIMITS.url_characters }), {
  maxProperties: 10,
  description: 'All keys of the type at once: a draft destination becomes active.',
});

/** An address of the owner's own server with the credentials for it; never in any answer. */
const secret = Type.String({ minLength: 1, maxLength: FIXED_LIMITS.url_characters, writeOnly: true });

export const createDestinationBody = Type.Object({
  type: oneOf(DESTINATION_TYPES),
  name: Type.Optional(name),
  target: Type.Optional(targetPatch),
  secret: Type.Optional(secret),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateDestinationBody = Type.Object({
  name: Type.Optional(name),
  target: Type.Optional(targetPatch),
  secret: Type.Optional(secret),
  metadata: Type.Optional(metadataPatch),
});

export const createTargetBody = Type.Object({
  name,
  parent: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 300 }))),
  type: Type.Optional(oneOf(SYNC_TYPES)),
});

/** What a destination can be aimed at. */
export const destinationResourceSchema = resource('destination_resource', {
  object: Type.Literal('destination_resource'),
  type: oneOf(DESTINATION_RESOURCE_TYPES),
  id: Type.String(),
  name: Type.String(),
  parent: nullable(Type.String()),
  url: nullable(Type.String()),
});

/** `config` holds the signing secret in the answers of create and rotate_secret, and is null in every other. */
export function presentDestination({
  row,
  target,
  syncCount,
  secret,
}: Destination): Static<typeof destinationSchema> {
  return {
    id: publicId('destination', row.id),
    object: 'destination',
    type: row.type,
    name: row.name,
    status: row.status,
    target,
    config: secret === null ? null : { signing_secret: secret },
    sync_count: syncCount,
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

/** One thing a destination can be aimed at or mapped to. */
export function presentDestinationResource(
  { id, name, url }: ListedResources['items'][number],
  { type, parent }: Pick<ListedResources, 'type' | 'parent'>,
): Static<typeof destinationResourceSchema> {
  return { object: 'destination_resource', type, id, name, parent, url };
}

export const destinationExample: Static<typeof destinationSchema> = {
  id: exampleId('destination'),
  object: 'destination',
  type: 'webhook',
  name: 'Ledger service',
  status: 'active',
  target: { url: 'https://ledger.invalid/hooks/bank' },
  config: null,
  sync_count: 1,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};
export const configExample = { signing_secret: 'whsec_RVhBTVBMRUVYQU1QTEVFWEFNUExF' };

export const madeExample: Partial<Static<typeof destinationSchema>> = {
  type: 'sheets',
  name: 'Google Sheets',
  target: {
    spreadsheet_id: '1EXAMPLEspreadsheet',
    sheet_id: '0',
    spreadsheet_name: 'My money',
    sheet_name: 'Transactions',
  },
};

const sheetExample: Static<typeof destinationResourceSchema> = {
  object: 'destination_resource',
  type: 'sheet',
  id: '0',
  name: 'Transactions',
  parent: '1EXAMPLEspreadsheet',
  url: 'https://sheets.invalid/1EXAMPLEspreadsheet#gid=0',
};

export const SECRET =
  'The address of your own server with the credentials for it. Tried at once, stored sealed, never shown again.';

export const destinationsDocs: Readonly<Record<string, ResourceDocs>> = {
  destination: {
    description: 'A place that syncs write to.',
    fields: {
      status:
        'incomplete: no target yet; reauth_required: link it again; disabled: a webhook whose deliveries kept failing.',
      target: 'Where it writes; the keys depend on the type.',
      config: 'For a webhook its signing secret, only in the answers that create or rotate it.',
      sync_count: 'Syncs that write to it.',
    },
    example: destinationExample,
  },
  destination_resource: {
    description: 'Something that can be the target of a destination.',
    fields: { parent: 'Its parent, if it has one.', id: "The vendor's own id." },
    example: sheetExample,
  },
};
