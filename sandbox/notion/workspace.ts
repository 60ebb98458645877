import { digest } from '../shared/random.ts';
import { notFound } from './errors.ts';
import type {
  DatabaseRecord,
  PageRecord,
  PropertyRecord,
  PropertyType,
  RowRecord,
  SourceRecord,
  WorkspaceRecord,
} from './records.ts';

/** A person's workspace: pages, databases on them, their data sources, and rows. */
export class Workspace {
  readonly pages = new Map<string, PageRecord>();
  readonly databases = new Map<string, DatabaseRecord>();
  readonly sources = new Map<string, SourceRecord>();
  /** In the order in which they were created. */
  readonly rows = new Map<string, RowRecord>();
  readonly #seed: number;
  readonly #now: () => number;
  #made = 0;

  constructor(seed: number, now: () => number) {
    this.#seed = seed;
    this.#now = now;
  }

  addPage(title: string, more: { readonly parent?: string; readonly shared: boolean }): PageRecord {
    const { parent = null, shared } = more;
    const page = { id: this.#id(), title, parent, shared, inTrash: false, ...this.#times() };
    this.pages.set(page.id, page);
    return page;
  }

  addDatabase(
    title: string,
    parent: string,
    properties: readonly PropertyRecord[],
    shared = false,
  ): DatabaseRecord {
    const id = this.#id();
    const database = { id, title, parent, shared, inTrash: false, sources: [], ...this.#times() };
    this.databases.set(id, database);
    this.addSource(database, title, properties);
    return database;
  }

  addSource(database: DatabaseRecord, name: string, properties: readonly PropertyRecord[]): SourceRecord {
    const source: SourceRecord = {
      id: this.#id(),
      database: database.id,
      name,
      inTrash: false,
      properties: [...properties],
      ...this.#times(),
    };
    this.sources.set(source.id, source);
    database.sources.push(source.id);
    return source;
  }

  addRow(source: SourceRecord, cells: RowRecord['cells']): RowRecord {
    const row = { id: this.#id(), source: source.id, inTrash: false, cells, ...this.#times() };
    this.rows.set(row.id, row);
    source.editedAt = row.createdAt;
    return row;
  }

  property(name: string, type: PropertyType, description: string | null = null): PropertyRecord {
    const id = type === 'title' ? 'title' : digest(this.#seed, 'property', this.#made++).slice(0, 4);
    return { id, name, description, type, format: 'number', options: [] };
  }

  edited(record: { editedAt: number }): void {
    record.editedAt = this.#now();
  }

  /** Whether we may see it: it is shared, or is in something that is. */
  isShared(id: string): boolean {
    const page = this.pages.get(id);
    if (page !== undefined) return page.shared || (page.parent !== null && this.isShared(page.parent));
    const database = this.databases.get(id);
    if (database !== undefined) return database.shared || this.isShared(database.parent);
    const lies = this.sources.get(id)?.database ?? this.rows.get(id)?.source;
    return lies !== undefined && this.isShared(lies);
  }

  /** Whether something that it is in is in the trash. */
  isBelowTrash(id: string): boolean {
    const above = this.#above(id);
    if (above === null) return false;
    const record = this.pages.get(above) ?? this.databases.get(above) ?? this.sources.get(above);
    return record?.inTrash === true || this.isBelowTrash(above);
  }

  rowsOf(source: string): RowRecord[] {
    return [...this.rows.values()].filter((row) => row.source === source);
  }

  read(): WorkspaceRecord {
    return {
      made: this.#made,
      pages: [...this.pages.values()],
      databases: [...this.databases.values()],
      sources: [...this.sources.values()],
      rows: [...this.rows.values()],
    };
  }

  restore({ made, pages, databases, sources, rows }: WorkspaceRecord): void {
    this.#made = made;
    fill(this.pages, pages);
    fill(this.databases, databases);
    fill(this.sources, sources);
    fill(this.rows, rows);
  }

  #above(id: string): string | null {
    const lies = this.pages.get(id)?.parent ?? this.databases.get(id)?.parent;
    return lies ?? this.sources.get(id)?.database ?? this.rows.get(id)?.source ?? null;
  }

  #times() {
    const now = this.#now();
    return { createdAt: now, editedAt: now };
  }

  /** In the form of a UUID. */
  #id(): string {
    const hex = digest(this.#seed, 'notion', this.#made++);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

function fill<T extends { readonly id: string }>(map: Map<string, T>, records: readonly T[]): void {
  map.clear();
  for (const record of records) map.set(record.id, record);
}

/** The initial workspace: a shared page with an empty database on it, and pages that are not shared. */
export function furnish(workspace: Workspace): void {
  const money = workspace.addPage('Money', { shared: true });
  workspace.addDatabase('Transactions', money.id, [workspace.property('Name', 'title')]);
  workspace.addPage('Travel', { shared: true });
  const diary = workspace.addPage('Diary', { shared: false });
  workspace.addDatabase('Reading list', diary.id, [workspace.property('Name', 'title')]);
}

/** What a connection may see: anything not shared appears not to exist. */
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
