import { Type } from 'typebox';
import { DESTINATION_RESOURCE_TYPES, DESTINATION_TYPES } from '../../vocabulary/destinations.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { DESTINATION_STATUSES } from '../../vocabulary/states.ts';
import { SYNC_TYPES } from '../../vocabulary/syncs.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';

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
