import type { Operation } from '../../../src/operations/operation.ts';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { describeV2 } from '../../../src/surfaces/v2/openapi/description.ts';
import { tagOf } from '../../../src/surfaces/v2/openapi/operation-object.ts';
import { ERROR_CODES, ERROR_TYPES } from '../../../src/vocabulary/error-codes.ts';
import { EVENT_KIND_NAMES } from '../../../src/vocabulary/event-kinds.ts';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { operationMethod } from './operation-method.ts';
import {
  asSchema,
  camel,
  comment,
  componentsIn,
  pascal,
  type Schema,
  typeName,
  typeOf,
} from './schema-types.ts';

const HEAD = '// Generated from the operation table by `npm run client`. Changes here are lost.\n\n';

/** The generated files of the TypeScript client, by name: one for each group of operations, and what joins them. */
export function generatedClient(): ReadonlyMap<string, string> {
  const description = asSchema(
    JSON.parse(JSON.stringify(describeV2(OPERATIONS, 'https://tributary.invalid'))),
  );
  const components = asSchema(asSchema(description.components).schemas);
  const tags = [...new Set(OPERATIONS.map(tagOf))];
  // A resource is at home in the group named after it, else in the first that shows it.
  const homes = new Map<string, string>(
    Object.keys(components).flatMap((component) => {
      const home = tags.find((tag) => tag === `${component}s` || tag === component.replace(/y$/, 'ies'));
      return home === undefined || component === 'account' ? [] : [[component, home] as const];
    }),
  );
  for (const tag of tags) {
    for (const component of componentsIn(objectsOf(tag, description), components)) {
      // Failures are classes of the client, and lists its pages.
      if (component === 'error' || component.endsWith('_list') || homes.has(component)) continue;
      homes.set(component, tag);
    }
  }
  const groups = new Map(tags.map((tag) => [fileOf(tag), groupFile(tag, description, components, homes)]));
  return new Map([
    ...groups,
    ['resources.ts', resourcesFile(tags, description)],
    ['error-codes.ts', codesFile()],
    ['event-kinds.ts', eventsFile(components)],
    ['types.ts', typesFile(groups)],
  ]);
}

function fileOf(tag: string): string {
  return `${tag.replaceAll('_', '-')}.ts`;
}

/** The operations of a group as the description has them, by id. */
function objectsOf(tag: string, { paths }: Schema): Schema {
  const inGroup = OPERATIONS.filter((operation) => tagOf(operation) === tag);
  return Object.fromEntries(
    inGroup.map((operation) => [operation.id, objectOf(operation, asSchema(paths))] as const),
  );
}

function objectOf(operation: Operation, paths: Schema): Schema {
  const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
  return asSchema(asSchema(paths[path])[operation.method.toLowerCase()]);
}

function groupFile(
  tag: string,
  description: Schema,
  components: Schema,
  homes: ReadonlyMap<string, string>,
): string {
  const objects = objectsOf(tag, description);
  const methods = OPERATIONS.filter((operation) => tagOf(operation) === tag).map((operation) =>
    operationMethod(operation, asSchema(objects[operation.id]), tag, asSchema(description.components)),
  );
  const own = [...homes].filter(([, home]) => home === tag).map(([component]) => component);
  const types = own.map((component) => namedType(component, asSchema(components[component])));
  const code = `${[...types, ...methods.flatMap(({ input }) => (input === null ? [] : [input]))].join('\n')}
${comment(tagWords(tag, description), '')}export class ${pascal(tag)} {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

${methods.map(({ method }) => method).join('\n')}}
`;
  return `${HEAD}${imports(code, tag, homes)}\n${code}`;
}

function tagWords(tag: string, { tags }: Schema): unknown {
  return Array.isArray(tags) ? tags.find(({ name }) => name === tag)?.description : undefined;
}

function namedType(component: string, schema: Schema): string {
  return `${comment(schema.description, '')}export type ${typeName(component)} = ${typeOf(schema, 0)};\n`;
}

function imports(code: string, tag: string, homes: ReadonlyMap<string, string>): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(code.replaceAll(/\/\*\*[\s\S]*?\*\//g, ''));
  const others = Map.groupBy(
    [...homes].filter(([component, home]) => home !== tag && uses(typeName(component))),
    ([, home]) => home,
  );
  const lines = [...others].map(([home, found]) => {
    const names = found.map(([component]) => typeName(component)).toSorted();
    return `import type { ${names.join(', ')} } from './${fileOf(home)}';\n`;
  });
  return [
    `import type { ${uses('CallOptions') ? 'CallOptions, ' : ''}Calls } from '../calls.ts';\n`,
    ...(uses('List') ? ["import type { List } from '../list.ts';\n"] : []),
    ...lines.toSorted(),
  ].join('');
}

function resourcesFile(tags: readonly string[], description: Schema): string {
  const names = tags.map((tag) => ({ file: fileOf(tag), type: pascal(tag), member: camel(tag), tag }));
  const byFile = names.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return `${HEAD}import type { Calls } from '../calls.ts';
${byFile.map(({ file, type }) => `import { ${type} } from './${file}';\n`).join('')}
/** Every operation of v2, by the first part of its path. */
export class Resources {
${names.map(({ member, type, tag }) => `${comment(tagWords(tag, description), '  ')}  readonly ${member}: ${type};\n`).join('')}
  constructor(calls: Calls) {
${names.map(({ member, type }) => `    this.${member} = new ${type}(calls);\n`).join('')}  }
}
`;
}

function codesFile(): string {
  const list = (words: readonly string[]) => words.map((word) => `  '${word}',\n`).join('');
  return `${HEAD}/** The release of v2 that this client is for; every request names it. */
export const RELEASE = '${CURRENT_RELEASE}';

/** Kinds of failures (docs/errors.md). */
export const ERROR_TYPES = [
${list(ERROR_TYPES)}] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** What a failure says to programs: stable, and explained in docs/errors.md. */
export const ERROR_CODES = [
${list(Object.keys(ERROR_CODES))}] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];
`;
}

function eventsFile(components: Schema): string {
  const kinds = EVENT_KIND_NAMES.map((kind) => `event_${kind.replace('.', '_')}`);
  return `${HEAD}${kinds.map((kind) => namedType(kind, asSchema(components[kind]))).join('\n')}
/** What event destinations receive: pass it to \`verifyWebhook\`, and branch on \`type\`. */
export type EventPayload =
${kinds.map((kind) => `  | ${typeName(kind)}`).join('\n')};
`;
}

function typesFile(groups: ReadonlyMap<string, string>): string {
  const lines = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, code]) => {
      const names = [...code.matchAll(/^export (?:type|interface) (\w+)/gm)]
        .map(([, name]) => name)
        .toSorted();
      return names.length === 0
        ? ''
        : `export type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}';\n`;
    });
  return `${HEAD}${lines.join('')}export type { EventPayload } from './event-kinds.ts';\n`;
}
