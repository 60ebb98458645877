import { Type } from 'typebox';
import { PRIMARY_CATEGORIES, primaryLabel } from '../../vocabulary/provider-categories.ts';
import { NOTHING } from '../parameters.ts';
import { oneOf } from '../v2/schema/conventions.ts';
import { shape } from './conventions.ts';
import { uncached, v1Endpoint } from './endpoint.ts';

export const categoriesSchema = shape({
  categories: Type.Array(shape({ key: oneOf(PRIMARY_CATEGORIES), label: Type.String() })),
});

const HOUR_SECONDS = 3600;
const categories = PRIMARY_CATEGORIES.map((key) => ({ key, label: primaryLabel(key) }));

export const categoriesEndpoint = v1Endpoint({
  id: 'v1_list_categories',
  summary: 'The primary category codes of bank rows',
  path: '/v1/categories',
  scope: 'data:read',
  tier: 'cheap',
  query: NOTHING,
  response: categoriesSchema,
  maxAgeSeconds: HOUR_SECONDS,
  handle: async () => uncached({ categories }),
});
