import type { Static } from 'typebox';
import type { Institution } from '../../features/linking/institutions.ts';
import { initialsUrl, logoUrl } from '../../vocabulary/logo-url.ts';
import { type ProviderIdentifier, providerRowId } from '../../vocabulary/providers.ts';
import type { institutionSchema, institutionSummarySchema } from '../schemas/institutions.ts';

export function presentInstitution(
  institution: Institution,
  publicUrl: string,
): Static<typeof institutionSchema> {
  return {
    id: providerRowId('institution', institution.provider, institution.id),
    object: 'institution',
    provider: institution.provider,
    name: institution.name,
    short_name: institution.shortName,
    logo: logoUrl(institution.logo, publicUrl) ?? initialsUrl(institution.name, publicUrl),
    available: institution.available,
    status: institution.status,
  };
}

/** The institution as a connection and its accounts carry it. */
export function presentInstitutionSummary(
  connection: {
    readonly provider: ProviderIdentifier;
    readonly institution_id: string;
    readonly institution_name: string;
    readonly institution_logo: string | null;
  },
  publicUrl: string,
): Static<typeof institutionSummarySchema> {
  return {
    id: providerRowId('institution', connection.provider, connection.institution_id),
    name: connection.institution_name,
    logo:
      logoUrl(connection.institution_logo, publicUrl) ?? initialsUrl(connection.institution_name, publicUrl),
  };
}
