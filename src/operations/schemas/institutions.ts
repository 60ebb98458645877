import { Type } from 'typebox';
import { PROVIDER_IDENTIFIERS } from '../../vocabulary/providers.ts';
import { nullable, oneOf, providerIdOf, resource } from './conventions.ts';

export const providerSchema = oneOf(PROVIDER_IDENTIFIERS);

/** docs/resources.md#institution. */
export const institutionSchema = resource('institution', {
  id: providerIdOf('institution'),
  object: Type.Literal('institution'),
  provider: providerSchema,
  name: Type.String(),
  short_name: Type.String(),
  logo: Type.String({ format: 'uri' }),
  available: Type.Boolean(),
  status: nullable(oneOf(['ONLINE', 'OUTAGE'])),
});

/** The institution inside a connection or an account. */
export const institutionSummarySchema = resource('institution_summary', {
  id: providerIdOf('institution'),
  name: Type.String(),
  logo: Type.String({ format: 'uri' }),
});
