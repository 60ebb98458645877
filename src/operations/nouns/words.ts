import type { Noun, OperationWords, ResourceWords } from './noun.ts';

/** The words of all nouns, found by name. */
export class Words {
  readonly #nouns: readonly Noun[];
  readonly #resources: ReadonlyMap<string, ResourceWords>;
  readonly #operations: ReadonlyMap<string, OperationWords>;

  constructor(nouns: readonly Noun[]) {
    this.#nouns = nouns;
    this.#resources = new Map(nouns.flatMap((noun) => Object.entries(noun.resources)));
    this.#operations = new Map(nouns.flatMap((noun) => Object.entries(noun.operations)));
  }

  resource(name: string): ResourceWords | undefined {
    return this.#resources.get(name);
  }

  operation(id: string): OperationWords {
    return this.#operations.get(id) ?? {};
  }

  tag(tag: string): Noun | undefined {
    return this.#nouns.find((noun) => noun.tag === tag);
  }
}
