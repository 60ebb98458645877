/** A task that a person picks in their client; the client sends its text to the model. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is asked to do. `given` holds text for arguments alone, and every required one. */
  readonly text: (given: ReadonlyMap<string, string>) => string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
