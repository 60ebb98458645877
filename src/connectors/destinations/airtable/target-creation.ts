import type { CreatedTarget, CreationRequest } from '../destination-creation.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationAccess } from '../destination-opening.ts';
import type { AirtableApi } from './airtable-api.ts';
import { newField, PRIMARY_COLUMN, TRANSACTION_COLUMNS } from './columns.ts';
import { freeName } from './free-name.ts';

/**
 * A table in a base that the person has: making a base would need the id of a workspace, which Airtable shows to nobody
 * but administrators. The table is marked with the key in its description, and found by it.
 */
export async function createTarget(
  api: AirtableApi,
  access: DestinationAccess,
  { key, name, parent, target }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  if (target !== null) return { target, mappings: [] };
  if (parent === null) {
    throw new DestinationFailure(
      'destination_resource_missing',
      'A table is made in an Airtable base: choose one as its parent.',
      {
        outcome: 'refused',
        retryable: false,
      },
    );
  }
  const by = { access, signal, askedBy: 'person' } as const;
  const tables = await api.tables(by, parent);
  const mark = `Filled by Tributary: ${key}`;
  const made =
    tables.find(({ description }) => description === mark) ??
    (await api.createTable(by, parent, { name: freeName(name, tables), description: mark, fields: FIELDS }));
  return { target: { base_id: parent, table_id: made.id }, mappings: [] };
}

/** The first is the one that Airtable shows first. */
const FIELDS = [
  ...TRANSACTION_COLUMNS.filter(({ key }) => key === PRIMARY_COLUMN),
  ...TRANSACTION_COLUMNS.filter(({ key }) => key !== PRIMARY_COLUMN),
].map((spec) => newField(spec, 0));
