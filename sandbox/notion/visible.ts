import type { DatabaseRecord, PageRecord, RowRecord, SourceRecord } from './records.ts';
import { notFound } from './refusals.ts';
import type { Workspace } from './workspace.ts';

/** What a connection may see: what is not shared looks as if it were not there. */
export class Visible {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  page(id: string): PageRecord {
    return this.#shared(this.#workspace.pages.get(id), 'page', id);
  }

  database(id: string): DatabaseRecord {
    return this.#shared(this.#workspace.databases.get(id), 'database', id);
  }

  source(id: string): SourceRecord {
    return this.#shared(this.#workspace.sources.get(id), 'data source', id);
  }

  row(id: string): { readonly row: RowRecord; readonly source: SourceRecord } {
    const row = this.#shared(this.#workspace.rows.get(id), 'page', id);
    return { row, source: this.source(row.source) };
  }

  #shared<T>(record: T | undefined, kind: string, id: string): T {
    if (record === undefined || !this.#workspace.isShared(id)) throw notFound(kind, id);
    return record;
  }
}
