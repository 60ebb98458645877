import { Type } from 'typebox';
import { CONNECTION_STATUSES, CONSENT_STATUSES } from '../../vocabulary/states.ts';
import { accountSchema, categorySchema } from './accounts.ts';
import {
  idOf,
  livemode,
  metadataPatch,
  metadataShown,
  nullable,
  oneOf,
  resource,
  timestamp,
} from './conventions.ts';
import { institutionSummarySchema, providerSchema } from './institutions.ts';

const consentSummary = Type.Object(
  { id: idOf('consent'), status: oneOf(CONSENT_STATUSES), expires_at: nullable(timestamp) },
  { additionalProperties: false },
);

/** docs/resources.md#connection. */
export const connectionSchema = resource('connection', {
  id: idOf('connection'),
  object: Type.Literal('connection'),
  provider: providerSchema,
  category: categorySchema,
  institution: institutionSummarySchema,
  status: oneOf(CONNECTION_STATUSES),
  account_count: Type.Integer({ minimum: 0 }),
  last_refreshed_at: nullable(timestamp),
  consent: nullable(consentSummary),
  accounts: nullable(Type.Array(accountSchema, { description: 'Only with include[]=accounts.' })),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const updateConnectionBody = Type.Object({ metadata: Type.Optional(metadataPatch) });
