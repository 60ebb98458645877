import type { Connection } from '../../storage/connections.ts';
import { PROVIDERS, providerRowId } from '../../vocabulary/providers.ts';
import { bridgeRoot } from './addresses.ts';

const LONGEST_LABEL = 63;

/**
 * A bank as the protocol shows it. Nobody says which domain a bank has, and apps tell banks apart by theirs, so it is a
 * name below our own host; `url` is the service itself.
 */
export function presentOrganisation(connection: Connection, publicUrl: string) {
  const { provider, institution_id: id, institution_name: name } = connection;
  const { hostname } = new URL(publicUrl);
  const label = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_LABEL);
  return {
    domain: `${label}.${PROVIDERS[provider].tag}.${hostname}`,
    name,
    'sfin-url': bridgeRoot(publicUrl),
    url: publicUrl,
    id: providerRowId('institution', provider, id),
  };
}

/** The connection that version 2 of the protocol lists beside its accounts. */
export function presentBridgeConnection(connection: Connection, publicUrl: string) {
  const { name, id } = presentOrganisation(connection, publicUrl);
  return {
    conn_id: connection.id,
    name,
    org_id: id,
    org_name: name,
    org_url: publicUrl,
    sfin_url: bridgeRoot(publicUrl),
  };
}
