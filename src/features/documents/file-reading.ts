import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import {
  type CsvGuess,
  type CsvLayout,
  type CsvPreview,
  type ParsedFile,
  type ParseOptions,
  UnusableFile,
} from '../../statements/statement-contract.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

const RETRY_SECONDS = 2;

/** How statement files are parsed; `src/statements` in production. Each raises UnusableFile. */
export interface StatementParsers {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<ParsedFile>;
  guessCsv(bytes: Uint8Array, signal: AbortSignal): Promise<CsvGuess>;
  previewCsv(bytes: Uint8Array, layout: CsvLayout, rows: number, signal: AbortSignal): Promise<CsvPreview>;
}

/**
 * Parses statement files in turn: a file of 10 MB takes seconds of processor time, so an account record has one parsed
 * at a time, however many it sends, and a process only a few.
 */
export class FileReading {
  readonly #parsers: StatementParsers;
  readonly #turns: FairSlots;

  constructor(parsers: StatementParsers, limits: Limits) {
    this.#parsers = parsers;
    this.#turns = new FairSlots({
      slots: limits.document_parses_at_once,
      waiting: limits.document_parses_waiting,
      share: 0,
    });
  }

  /**
   * Does the work in the owner's turn. Raises `rate_limit_exceeded` if too many files of the owner wait,
   * `document_unusable` for what the parsers refuse, and the reason of `signal`.
   */
  async inTurn<T>(
    owner: OwnerId,
    signal: AbortSignal,
    work: (parsers: StatementParsers) => Promise<T>,
  ): Promise<T> {
    const give = await this.#turns.take(owner, signal).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Too many statement files of this account wait to be read; wait for their answers first.',
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      });
    });
    try {
      return await work(this.#parsers);
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      throw new ServiceError('document_unusable', { message: error.message, param: 'content', cause: error });
    } finally {
      give();
    }
  }
}
