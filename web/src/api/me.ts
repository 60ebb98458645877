import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { accountRecordSchema } from '../../../src/operations/v2/account-record.ts';
import { ask } from './client.ts';
import { showRecord } from './shown-record.ts';

export type AccountRecord = Static<typeof accountRecordSchema>;

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const record = await ask<AccountRecord>({ path: 'me', signal });
    showRecord(record.id);
    return record;
  },
  staleTime: 300_000,
});
