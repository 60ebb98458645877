import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { isRecord } from '../../sandbox/shared/json.ts';

/**
 * Names and kinds of the members of Google's messages that we use, from the discovery documents of Sheets v4 (revision
 * 20260213) and Drive v3 (20260405). A kind is the name of a message, of a JSON type, or a list of words.
 */
const MESSAGES: unknown = JSON.parse(
  readFileSync(new URL('./fixtures/google-messages.json', import.meta.url), 'utf8'),
);

interface Exchange {
  readonly route: RegExp;
  readonly service: 'sheets' | 'drive';
  readonly request: string | null;
  readonly answer: string;
}

const EXCHANGES: readonly Exchange[] = [
  {
    route: /^POST \/v4\/spreadsheets$/,
    service: 'sheets',
    request: 'Spreadsheet',
    answer: 'Spreadsheet',
  },
  { route: /^GET \/v4\/spreadsheets\/[^/:]+$/, service: 'sheets', request: null, answer: 'Spreadsheet' },
  {
    route: /^POST \/v4\/spreadsheets\/[^/:]+:batchUpdate$/,
    service: 'sheets',
    request: 'BatchUpdateSpreadsheetRequest',
    answer: 'BatchUpdateSpreadsheetResponse',
  },
  {
    route: /^POST \/v4\/spreadsheets\/[^/:]+\/values:batchGetByDataFilter$/,
    service: 'sheets',
    request: 'BatchGetValuesByDataFilterRequest',
    answer: 'BatchGetValuesByDataFilterResponse',
  },
  {
    route: /^POST \/v4\/spreadsheets\/[^/:]+\/developerMetadata:search$/,
    service: 'sheets',
    request: 'SearchDeveloperMetadataRequest',
    answer: 'SearchDeveloperMetadataResponse',
  },
  { route: /^GET \/drive\/v3\/files$/, service: 'drive', request: null, answer: 'FileList' },
  { route: /^GET \/drive\/v3\/files\/[^/]+$/, service: 'drive', request: null, answer: 'File' },
  { route: /^GET \/drive\/v3\/about$/, service: 'drive', request: null, answer: 'About' },
];

/** Compiled once for the process: each scene of a test holds its own messages against them. */
const AJV = new Ajv({ strict: false });
const VALIDATORS = new Map<string, ValidateFunction>();

/** Holds requests and answers against what Google publishes; a member that it does not name is a problem. */
export class GoogleMessages {
  readonly problems: string[] = [];
  checked = 0;

  /** @param path without the query */
  check(method: string, path: string, request: string | undefined, status: number, answer: string): void {
    const found = EXCHANGES.find(({ route }) => route.test(`${method} ${path}`));
    if (found === undefined) return;
    if (found.request !== null && request !== undefined) this.#hold(found.service, found.request, request);
    if (status === 200) this.#hold(found.service, found.answer, answer);
  }

  #hold(service: string, message: string, text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // An answer that was spoilt on purpose.
      return;
    }
    const validate = validatorOf(service, message);
    this.checked += 1;
    if (!validate(value)) this.problems.push(`${message}: ${AJV.errorsText(validate.errors)}`);
  }
}

function validatorOf(service: string, message: string): ValidateFunction {
  if (VALIDATORS.size === 0) addMessages();
  const ref = `${service}#/definitions/${message}`;
  const known = VALIDATORS.get(ref);
  if (known !== undefined) return known;
  const made = AJV.compile({ $ref: ref });
  VALIDATORS.set(ref, made);
  return made;
}

function addMessages(): void {
  assert.ok(isRecord(MESSAGES));
  for (const [service, messages] of Object.entries(MESSAGES)) {
    assert.ok(isRecord(messages));
    const definitions = Object.fromEntries(
      Object.entries(messages).map(([name, members]) => [name, schemaOf(members)]),
    );
    AJV.addSchema({ $id: service, definitions });
  }
}

function schemaOf(members: unknown): unknown {
  assert.ok(isRecord(members));
  const properties = Object.entries(members).map(([name, kind]) => [name, kindSchema(kind)]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'object'];

function kindSchema(kind: unknown): unknown {
  if (Array.isArray(kind)) return { type: 'array', items: kindSchema(kind[0]) };
  if (isRecord(kind)) return kind;
  if (kind === 'any') return {};
  return JSON_TYPES.includes(String(kind)) ? { type: kind } : { $ref: `#/definitions/${String(kind)}` };
}
