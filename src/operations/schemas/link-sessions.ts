import { Type } from 'typebox';
import { LINK_SESSION_STATUSES } from '../../vocabulary/states.ts';
import { refusedAs } from './bounds.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataShown,
  nullable,
  oneOf,
  providerIdOf,
  resource,
  returnUrl,
  timestamp,
} from './conventions.ts';
import { providerSchema } from './institutions.ts';

/** docs/resources.md#link-session. */
export const linkSessionSchema = resource('link_session', {
  id: idOf('link_session'),
  object: Type.Literal('link_session'),
  provider: providerSchema,
  institution: nullable(providerIdOf('institution')),
  status: oneOf(LINK_SESSION_STATUSES),
  url: Type.String(),
  connection: nullable(idOf('connection')),
  return_url: Type.String(),
  failure_reason: nullable(Type.String()),
  expires_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const createLinkSessionBody = Type.Object({
  provider: providerSchema,
  institution: Type.Optional(
    nullable(
      providerIdOf('institution', {
        maxLength: 300,
        ...refusedAs('parameter_invalid', 'institution must be an id from the institutions list.'),
      }),
    ),
  ),
  return_url: returnUrl,
  metadata: Type.Optional(nullable(metadataInput)),
});

export const reauthorizeBody = Type.Object({
  provider: Type.Optional(nullable(providerSchema)),
  return_url: Type.Optional(nullable(returnUrl)),
  metadata: Type.Optional(nullable(metadataInput)),
});
