import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * The protocol's own JSON schemas, one a revision. The conformance suite carries them, as literals in its program, and
 * nothing else that is installed here does.
 */
const SUITE = fileURLToPath(import.meta.resolve('mcp-conformance-next/dist/index.js'));
const BEGIN = '{$schema:`';

/** What a revision alone has among its definitions, newest first. */
const MARKS = {
  '2026-07-28': 'DiscoverResult',
  '2025-11-25': 'TaskStatus',
  '2025-06-18': 'ElicitRequest',
  '2025-03-26': 'JSONRPCBatchRequest',
} as const;

export type Revision = keyof typeof MARKS;
export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

type Check = (definition: string, value: unknown) => void;

const checks = new Map<Revision, Check>(
  schemas().map(({ revision, schema, key }) => {
    const ajv =
      key === '$defs'
        ? new Ajv2020({ strict: false, validateFormats: false })
        : new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(schema, revision);
    return [
      revision,
      (definition, value) => {
        const validate = ajv.getSchema(`${revision}#/${key}/${definition}`);
        assert.ok(validate, `${revision} has no ${definition}`);
        assert.ok(
          validate(value),
          `${revision} ${definition}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(value).slice(0, 400)}`,
        );
      },
    ];
  }),
);

/** Holds a value against a definition of a revision's schema. */
export function assertProtocol(revision: Revision, definition: string, value: unknown): void {
  const check = checks.get(revision);
  assert.ok(check, `the suite has no schema of ${revision}`);
  check(definition, value);
}

interface Found {
  readonly revision: Revision;
  readonly key: 'definitions' | '$defs';
  readonly schema: object;
}

function schemas(): Found[] {
  const program = readFileSync(SUITE, 'utf8');
  const found: Found[] = [];
  for (let at = program.indexOf(BEGIN); at !== -1; at = program.indexOf(BEGIN, at + 1)) {
    const text = literalAt(program, at);
    const key = text.includes('$defs:{Ann') ? '$defs' : 'definitions';
    if (!text.includes(`${key}:{Ann`)) continue;
    const revision = REVISIONS.toReversed().find((one) => text.includes(`${MARKS[one]}:{`));
    if (revision === undefined) continue;
    // The text is in a package whose digest the lock file holds.
    found.push({ revision, key, schema: JSON.parse(JSON.stringify(runInNewContext(`(${text})`))) });
  }
  return found;
}

/** An object literal, which ends with the brace that closes its first. */
function literalAt(program: string, from: number): string {
  let depth = 0;
  let quote = '';
  for (let at = from; at < program.length; at++) {
    const character = program.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if ('`"\''.includes(character)) quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return program.slice(from, at + 1);
  }
  return '';
}
