/** A page of docs/consoles/: what a person clicks at a vendor before an integration can be used. */
export interface ConsolePage {
  /** Below docs/, without `.md`. */
  readonly page: `consoles/${string}`;
  /** Its heading, in the language it is written in. */
  readonly title: string;
}
