import { Type } from 'typebox';
import { PRIMARY_CATEGORIES } from '../../../vocabulary/provider-categories.ts';
import { oneOf } from '../../v2/schema/conventions.ts';
import { shape } from './conventions.ts';

export const categoriesSchema = shape({
  categories: Type.Array(shape({ key: oneOf(PRIMARY_CATEGORIES), label: Type.String() })),
});
