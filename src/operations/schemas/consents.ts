import { Type } from 'typebox';
import { CONSENT_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
import { providerSchema } from './institutions.ts';

/** docs/resources.md#consent. `connection` may name one that is deleted: the record of a consent outlives it. */
export const consentSchema = resource('consent', {
  id: idOf('consent'),
  object: Type.Literal('consent'),
  connection: idOf('connection'),
  provider: providerSchema,
  status: oneOf(CONSENT_STATUSES),
  purpose: nullable(Type.String()),
  data_categories: Type.Array(Type.String()),
  granted_at: timestamp,
  expires_at: nullable(timestamp),
  withdrawn_at: nullable(timestamp),
  termination_reason: nullable(Type.String({ description: 'Free text for display; never branch on it.' })),
  livemode,
  created: timestamp,
  updated: timestamp,
});
