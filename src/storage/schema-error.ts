/** The database cannot be used by this version; the message says why and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
