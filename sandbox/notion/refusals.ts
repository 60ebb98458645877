import { VendorError } from '../shared/vendor-error.ts';

/** The request does not fit; the text names the place in it. */
export function invalid(message: string): VendorError {
  return new VendorError(400, 'validation_error', message);
}

/** A value of the body that is not what it should be. @param path such as `body.properties.Amount.number` */
export function invalidValue(path: string, should: string, value: unknown): VendorError {
  const shown = value === undefined ? '`undefined`' : `\`${JSON.stringify(value).slice(0, 100)}\``;
  return invalid(`body failed validation: ${path} should be ${should}, instead was ${shown}.`);
}

/** Also the answer about what is there and not shared. */
export function notFound(kind: string, id: string): VendorError {
  return new VendorError(
    404,
    'object_not_found',
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your connection.`,
  );
}
