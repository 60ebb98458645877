import type { Operation } from '../../../src/operations/operation.ts';
import { isListSchema } from '../../../src/operations/paging.ts';
import { asSchema, camel, comment, members, pascal, type Schema, typeOf } from './schema-types.ts';

/** The part of the group's file for one operation. */
export interface OperationMethod {
  /** The type of its argument; null if it takes none. */
  readonly input: string | null;
  readonly method: string;
}

/** `object` is the operation in the description; `components` are those that it refers to. */
export function operationMethod(
  operation: Operation,
  object: Schema,
  tag: string,
  components: Schema,
): OperationMethod {
  const name = methodName(operation.id, tag);
  const parameters = inputsOf(object, components);
  const body = bodyOf(object);
  const properties: Record<string, Schema> = {};
  const required = new Set<string>();
  const queries: string[] = [];
  const take = (key: string, schema: Schema, needed: boolean) => {
    if (key in properties) throw new TypeError(`${operation.id} takes two members named ${key}`);
    properties[key] = schema;
    if (needed) required.add(key);
  };
  for (const { name: sent, in: place, required: needed, description, schema } of parameters) {
    if (place !== 'path') queries.push(String(sent));
    take(String(sent).replace('[]', ''), { ...asSchema(schema), description }, needed === true);
  }
  const needs: readonly unknown[] = Array.isArray(body.required) ? body.required : [];
  for (const [key, schema] of Object.entries(asSchema(body.properties ?? {})))
    take(key, asSchema(schema), needs.includes(key));
  const takesNothing = Object.keys(properties).length === 0;
  const type = `${pascal(tag)}${pascal(name.words)}Input`;
  const input = `export interface ${type} ${members({ properties, required: [...required] }, 0)}\n`;
  const answer = answerOf(operation, object);
  const row = [
    `id: '${operation.id}'`,
    `method: '${operation.method}'`,
    `path: '${operation.path}'`,
    ...(queries.length === 0 ? [] : [`query: [${queries.map((query) => `'${query}'`).join(', ')}]`]),
  ];
  const first = takesNothing ? [] : [`input: ${type}${required.size === 0 ? ' = {}' : ''}`];
  const doc = comment([object.summary, object.description].filter(Boolean).join('.\n\n'), '  ');
  return {
    input: takesNothing ? null : input,
    method: `${doc}  ${camel(name.words)}(${[...first, 'options?: CallOptions'].join(', ')}): ${answer.type} {
    return this.#calls.${answer.call}(
      { ${row.join(', ')} },
      ${takesNothing ? '{}' : 'input'},
      options,
    );
  }
`,
  };
}

/** The operation's id without the name of its group: `list_sync_runs` of `syncs` is `listRuns`. */
function methodName(id: string, tag: string): { readonly words: string } {
  const singular = tag.replace(/ies$/, 'y').replace(/s$/, '');
  const words = `_${id}_`.replace(`_${tag}_`, '_').replace(`_${singular}_`, '_').replaceAll(/^_|_$/g, '');
  return { words: words === '' ? id : words };
}

/** Parameters of path and query. */
function inputsOf({ parameters }: Schema, components: Schema): readonly Schema[] {
  if (!Array.isArray(parameters)) return [];
  const byReference = asSchema(components.parameters);
  return parameters
    .map((one: unknown) => {
      const { $ref } = asSchema(one);
      return asSchema(typeof $ref === 'string' ? byReference[$ref.split('/').at(-1) ?? ''] : one);
    })
    .filter((one) => one.in !== 'header');
}

function bodyOf({ requestBody }: Schema): Schema {
  if (requestBody === undefined) return {};
  return asSchema(asSchema(asSchema(asSchema(requestBody).content)['application/json']).schema);
}

function answerOf(
  operation: Operation,
  { responses }: Schema,
): { readonly type: string; readonly call: string } {
  if (operation.streamed !== null) return { type: 'Promise<Response>', call: 'stream' };
  const content = asSchema(asSchema(asSchema(responses)[operation.status]).content);
  const { schema } = asSchema(content['application/json']);
  if (!isListSchema(operation.response)) {
    const type = typeOf(schema, 1);
    return { type: `Promise<${type}>`, call: 'one' };
  }
  return { type: `List<${typeOf({ $ref: itemOf(asSchema(schema)) }, 1)}>`, call: 'list' };
}

/** The component in a list, which has its name. */
function itemOf({ $ref }: Schema): string {
  return String($ref).replace(/_list$/, '');
}
