import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { accountRecordSchema } from '../../../src/operations/schemas/account-record.ts';
import { ask } from './client.ts';

export type AccountRecord = Static<typeof accountRecordSchema>;

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => ask<AccountRecord>({ path: 'me', signal }),
  staleTime: 300_000,
});
