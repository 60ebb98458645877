import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { invalidRequest, notPermitted, unseen } from './errors.ts';
import { FIELD_TYPES, fieldType } from './field-types.ts';
import { bodyOf, textOf } from './request-body.ts';
import type { SimulatedField, SimulatedTable } from './table.ts';
import type { SimulatedBase, Workspace } from './workspace.ts';

/** How many bases the vendor lists at once. */
const PAGE_BASES = 1_000;

/** The metadata API: bases, their tables, and columns. */
export class Schema {
  readonly #workspace: Workspace;
  /** How many bases are listed at once; tests make it small. */
  basesAPage = PAGE_BASES;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** `GET /v0/meta/bases` */
  bases({ query }: SimulatedRequest): Reply {
    const begin = Number(/^itr(\d+)$/.exec(query.get('offset') ?? 'itr0')?.[1] ?? Number.NaN);
    if (Number.isNaN(begin)) throw invalidRequest('"offset" is not one that was given.');
    const end = begin + this.basesAPage;
    const all = this.#workspace.bases.filter(({ permission }) => permission !== 'none');
    const bases = all.slice(begin, end).map(({ id, name, permission }): JsonObject => {
      return { id, name, permissionLevel: permission };
    });
    return json(200, { bases, ...(end < all.length ? { offset: `itr${end}` } : {}) });
  }

  /** `GET /v0/meta/bases/{base}/tables` */
  tables(_request: SimulatedRequest, base: SimulatedBase): Reply {
    return json(200, { tables: base.tables.map((table) => this.#tableJson(table)) });
  }

  /** `POST /v0/meta/bases/{base}/tables` */
  createTable(request: SimulatedRequest, base: SimulatedBase): Reply {
    requireCreator(base);
    const body = bodyOf(request, ['name', 'description', 'fields']);
    const name = textOf(body, 'name') ?? '';
    if (name === '') throw invalidRequest('A table needs a name.');
    if (base.tables.some((table) => isSameName(table.name, name)))
      throw new VendorError(422, 'DUPLICATE_TABLE_NAME', `Table name "${name}" is taken.`);
    if (!Array.isArray(body.fields) || body.fields.length === 0)
      throw invalidRequest('A table needs fields.');
    const fields: SimulatedField[] = [];
    for (const field of body.fields) fields.push(this.#newField(field, fields));
    const [primary] = fields;
    if (primary === undefined || !FIELD_TYPES[primary.type].primary)
      throw invalidRequest('The first field cannot be the primary one.');
    const table = this.#workspace.addTable(base, name, textOf(body, 'description'), fields);
    return json(200, this.#tableJson(table));
  }

  /** `POST /v0/meta/bases/{base}/tables/{table}/fields` */
  createField(request: SimulatedRequest, base: SimulatedBase, table: SimulatedTable): Reply {
    requireCreator(base);
    const field = this.#newField(bodyOf(request, FIELD_MEMBERS), table.fields);
    table.fields.push(field);
    return json(200, fieldJson(field));
  }

  /** `PATCH /v0/meta/bases/{base}/tables/{table}/fields/{field}`: its name and description, not its type. */
  changeField(request: SimulatedRequest, base: SimulatedBase, table: SimulatedTable): Reply {
    requireCreator(base);
    const body = bodyOf(request, ['name', 'description']);
    const field = table.fields.find(({ id }) => id === request.params.field);
    if (field === undefined) throw unseen();
    const [name, description] = [textOf(body, 'name'), textOf(body, 'description')];
    if (name === '' || table.fields.some((other) => other !== field && isSameName(other.name, name ?? '')))
      throw new VendorError(422, 'DUPLICATE_OR_EMPTY_FIELD_NAME', 'The name is taken or empty.');
    if (name !== null) field.name = name;
    if (description !== null) field.description = description;
    return json(200, fieldJson(field));
  }

  #newField(given: unknown, others: readonly SimulatedField[]): SimulatedField {
    if (!isRecord(given)) throw invalidRequest('A field is an object.');
    const stray = Object.keys(given).find((member) => !FIELD_MEMBERS.includes(member));
    if (stray !== undefined) throw invalidRequest(`"${stray}" is no member of a field.`);
    const name = textOf(given, 'name') ?? '';
    if (name === '' || others.some((other) => isSameName(other.name, name)))
      throw new VendorError(422, 'DUPLICATE_OR_EMPTY_FIELD_NAME', `Field name "${name}" is taken or empty.`);
    const type = fieldType(given.type);
    if (type === null || FIELD_TYPES[type].computed)
      throw new VendorError(422, 'UNSUPPORTED_FIELD_TYPE_FOR_CREATE', 'Fields of this type cannot be made.');
    const { options } = given;
    return this.#workspace.newField(name, type, { description: textOf(given, 'description'), options });
  }

  #tableJson({ id, name, description, fields }: SimulatedTable): JsonObject {
    return {
      id,
      name,
      ...(description === null ? {} : { description }),
      primaryFieldId: fields[0]?.id ?? '',
      fields: fields.map(fieldJson),
      views: [{ id: `viw${id.slice(3)}`, name: 'Grid view', type: 'grid' }] satisfies Json,
    };
  }
}

const FIELD_MEMBERS = ['name', 'type', 'description', 'options'];

function requireCreator({ permission }: SimulatedBase): void {
  if (permission !== 'create') throw notPermitted();
}

function fieldJson({ id, name, type, description, options }: SimulatedField): JsonObject {
  return {
    id,
    name,
    type,
    ...(description === null ? {} : { description }),
    ...(options === undefined ? {} : { options }),
  };
}

export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
