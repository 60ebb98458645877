/** JSON as it is in the description. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What the reference says of one resource, beside its schema. */
export interface ResourceDocs {
  readonly description: string;
  /** What a field means, where its name and schema leave a question. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What its schema leaves out, where the service parses it by other means; joined to the schema. */
  readonly shape?: JsonObject;
  /** A resource as a caller may see it; a test compares it with the schema. */
  readonly example: JsonObject;
}

/** What the reference says of one operation, beside its summary. */
export interface OperationDocs {
  /** Its rules, where they are not obvious. */
  readonly description?: string;
  /** What a member of its query or body means, where its name and schema leave a question. */
  readonly sent?: Readonly<Record<string, string>>;
  /** A body a caller may send. Every operation that takes one has one. */
  readonly body?: JsonObject;
  /** The answer, where it is not simply the example of the resource or a list of it. */
  readonly answer?: JsonObject;
}
