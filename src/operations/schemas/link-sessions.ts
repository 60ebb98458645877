import { Type } from 'typebox';
import { LINK_SESSION_STATUSES } from '../../vocabulary/states.ts';
import {
  livemode,
  metadataInput,
  metadataShown,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';
import { providerSchema } from './institutions.ts';

/** docs/resources.md#link-session. */
export const linkSessionSchema = resource('link_session', {
  id: Type.String(),
  object: Type.Literal('link_session'),
  provider: providerSchema,
  institution: nullable(Type.String()),
  status: oneOf(LINK_SESSION_STATUSES),
  url: Type.String(),
  connection: nullable(Type.String()),
  return_url: Type.String(),
  failure_reason: nullable(Type.String()),
  expires_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

/** Longer than allowed, so that the refusal can say what is wrong with a URL in a message of its own. */
const returnUrl = text(4096);

export const createLinkSessionBody = Type.Object({
  provider: text(100),
  institution: Type.Optional(nullable(text(300))),
  return_url: returnUrl,
  metadata: Type.Optional(nullable(metadataInput)),
});

export const reauthorizeBody = Type.Object({
  provider: Type.Optional(nullable(text(100))),
  return_url: Type.Optional(nullable(returnUrl)),
  metadata: Type.Optional(nullable(metadataInput)),
});
