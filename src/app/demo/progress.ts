const LINE_MS = 1000;

/** Where progress is written: standard error, so that standard output holds the result alone. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Says what is going on: one line rewritten on a terminal, else a line when it changes, at most every second. */
export class Progress {
  readonly #stream: ProgressStream;
  #shown = '';
  #open = false;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** A step that begins; always shown. */
  step(text: string): void {
    this.#end();
    this.#write(text, true);
  }

  /** How far the step is. */
  update(text: string): void {
    const due = performance.now() - this.#writtenAt >= (this.#stream.isTTY === true ? 100 : LINE_MS);
    if (text !== this.#shown && due) this.#write(text, false);
  }

  done(): void {
    this.#end();
  }

  #write(text: string, fresh: boolean): void {
    this.#shown = text;
    this.#writtenAt = performance.now();
    if (this.#stream.isTTY === true) {
      this.#stream.write(`${fresh ? '' : '\r\u001b[2K'}${text}`);
      this.#open = true;
    } else this.#stream.write(`${text}\n`);
  }

  #end(): void {
    if (this.#open) this.#stream.write('\n');
    this.#open = false;
  }
}
