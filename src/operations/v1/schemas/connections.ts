import { Type } from 'typebox';
import { oneOf } from '../../v2/schema/conventions.ts';
import { shape, textOrNull, timestamp, uuid } from './conventions.ts';

export const V1_CONNECTION_STATUSES = ['active', 'invalidated', 'pending_mfa', 'revoked'] as const;
export type V1ConnectionStatus = (typeof V1_CONNECTION_STATUSES)[number];

export const connectionsSchema = shape({
  data: Type.Array(
    shape({
      id: uuid,
      provider: Type.String(),
      category: oneOf(['banking', 'brokerage']),
      institutionId: Type.String(),
      institutionName: Type.String(),
      institutionLogo: textOrNull,
      status: oneOf(V1_CONNECTION_STATUSES),
      lastRefreshedAt: Type.Union([timestamp, Type.Null()]),
      createdAt: timestamp,
    }),
  ),
});
