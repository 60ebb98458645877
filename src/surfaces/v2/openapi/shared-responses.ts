import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';

/** Error responses that many operations have in common: each appears once, under the words of its status and a number. */
export class SharedResponses {
  readonly #names = new Map<string, string>();
  readonly #byName = new Map<string, JsonObject>();

  /** A reference to the response, which is kept. */
  refer(status: number, response: JsonObject): JsonObject {
    const source = JSON.stringify(response);
    const name = this.#names.get(source) ?? this.#add(status, source, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Every response met so far, by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(status: number, source: string, response: JsonObject): string {
    const words = (STATUS_CODES[status] ?? String(status)).toLowerCase().replaceAll(/[^a-z]+/g, '_');
    let name = words;
    for (let number = 2; this.#byName.has(name); number++) name = `${words}_${number}`;
    this.#names.set(source, name);
    this.#byName.set(name, response);
    return name;
  }
}
