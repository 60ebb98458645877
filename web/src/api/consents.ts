import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { consentSchema } from '../../../src/operations/v2/consents.ts';
import { everyItem } from './lists.ts';

export type Consent = Static<typeof consentSchema>;

export function consents(connection: string) {
  return queryOptions({
    queryKey: ['consents', connection],
    queryFn: ({ signal }) => everyItem<Consent>({ path: 'consents', query: { connection }, signal }),
  });
}
