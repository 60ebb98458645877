import { DeadlineClient } from '../../../src/storage/postgres/deadline-client.ts';

/** Statements of one shape: the same text but for how many values its lists have. */
export interface RecordedStatement {
  readonly shape: string;
  /** With its values, as it was sent: the first and the latest that was. */
  readonly sent: readonly [first: SentStatement, latest: SentStatement];
  readonly times: number;
}

export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** They have no plan. */
const WITHOUT_PLAN =
  /^\s*(?:begin|start|commit|rollback|savepoint|release|set|show|listen|unlisten|notify|lock|create|alter|drop|truncate|vacuum|analyze|checkpoint|select pg_notify)\b/i;

/** Records the statements of this process to Postgres, whichever part sends them, until it is disposed of. */
export class StatementRecorder implements Disposable {
  readonly #ask = DeadlineClient.prototype.ask;
  readonly #recorded = new Map<string, RecordedStatement>();

  constructor() {
    const [ask, note] = [this.#ask, this.#note.bind(this)];
    DeadlineClient.prototype.ask = function recording(statement) {
      note({ text: statement.text, values: statement.values ?? [] });
      return ask.call(this, statement);
    };
  }

  get statements(): readonly RecordedStatement[] {
    return [...this.#recorded.values()];
  }

  [Symbol.dispose](): void {
    DeadlineClient.prototype.ask = this.#ask;
  }

  #note(sent: SentStatement): void {
    if (WITHOUT_PLAN.test(sent.text)) return;
    const shape = shapeOf(sent.text);
    const known = this.#recorded.get(shape);
    this.#recorded.set(shape, {
      shape,
      sent: [known?.sent[0] ?? sent, sent],
      times: (known?.times ?? 0) + 1,
    });
  }
}

/** A list of any length becomes `($*)`, several of them one, and numbers of other parameters go. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\((?:\$(?:::\w+)?|null|default|'\w*')(?:, (?:\$(?:::\w+)?|null|default|'\w*'))*\)/g, '($*)')
    .replaceAll(/\(\$\*\)(?:, \(\$\*\))+/g, '($*)')
    .trim();
}
