/** JSON as it stands in the description. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What the reference says about one resource, besides its schema. */
export interface ResourceWords {
  readonly description: string;
  /** What a field means, where its name and schema leave a question. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What its schema leaves out, where the service parses it by other means; joined to the schema. */
  readonly shape?: JsonObject;
  /** A resource as a caller may see it; a test holds it against the schema. */
  readonly example: JsonObject;
}

/** What the reference says about one operation, besides its summary. */
export interface OperationWords {
  /** Its rules, where they are not obvious. */
  readonly description?: string;
  /** What a member of its query or body means, where its name and schema leave a question. */
  readonly sent?: Readonly<Record<string, string>>;
  /** A body a caller may send. Every operation that takes one has one. */
  readonly body?: JsonObject;
  /** The answer, where it is not simply the example of the resource or a list of it. */
  readonly answer?: JsonObject;
}

/** Words and examples of one group of operations: those below one path of `/v2`. One file each, under `nouns/`. */
export interface Noun {
  /** First part of the path after `/v2`: `api_keys`. */
  readonly tag: string;
  readonly description: string;
  /** By the name the resource's schema gives. */
  readonly resources: Readonly<Record<string, ResourceWords>>;
  /** By operation id. */
  readonly operations: Readonly<Record<string, OperationWords>>;
}
