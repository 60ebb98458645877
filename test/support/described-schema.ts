import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { description } from './description.ts';

const DOCUMENT = 'https://tributary.invalid/v2/openapi.json';

let ajv: Ajv2020 | null = null;
const validators = new Map<string, ValidateFunction>();

/** Another library than the one the service validates with, so that a mistake in either shows. */
function open(): Ajv2020 {
  if (ajv !== null) return ajv;
  const made = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(made);
  made.addSchema({ $id: DOCUMENT, ...description() });
  ajv = made;
  return made;
}

/** What is wrong with a value under the schema at a place of the description, as lines to read; none when it fits. */
export function misfits(place: readonly string[], value: unknown): string[] {
  const pointer = place
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent);
  const reference = `${DOCUMENT}#/${pointer.join('/')}`;
  const validate = validators.get(reference) ?? open().compile({ $ref: reference });
  validators.set(reference, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const where = instancePath === '' ? 'the body' : instancePath;
    return `${where} ${message} ${JSON.stringify(params)}`;
  });
}
