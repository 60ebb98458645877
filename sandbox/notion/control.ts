import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import { BOT_ID } from './oauth-calls.ts';
import type { PropertyRecord, PropertyType, RowRecord, SourceRecord } from './records.ts';
import type { NotionSettings } from './settings.ts';
import type { Workspace } from './workspace.ts';

interface Parts {
  readonly workspace: Workspace;
  readonly authorizationServer: AuthorizationServer;
  readonly settings: NotionSettings;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/** What a person may do in Notion, and what a test may read. Methods throw {@link ControlError} on bad input. */
export class NotionControl extends SimulatorControl {
  readonly #parts: Parts;
  readonly #changed: () => void;

  constructor(parts: Parts, changed: () => void) {
    super(parts.faults, parts.log);
    this.#parts = parts;
    this.#changed = changed;
  }

  /** Pages and databases, with what is shared and what is in the trash. */
  workspace() {
    const { workspace } = this.#parts;
    return {
      pages: [...workspace.pages.values()].map(({ id, title, shared, inTrash }) => ({
        id,
        title,
        shared,
        inTrash,
      })),
      databases: [...workspace.databases.values()].map(({ id, title, parent, sources, inTrash }) => ({
        id,
        title,
        parent,
        sources,
        inTrash,
        shared: workspace.isShared(id),
        properties: this.#source(id).properties.map(({ name, type, description }) => ({
          name,
          type,
          description,
        })),
      })),
    };
  }

  /** Rows of a database as stored, including those in the trash. */
  rows(database: string): readonly RowRecord[] {
    const { workspace } = this.#parts;
    return this.#database(database).sources.flatMap((source) => workspace.rowsOf(source));
  }

  addPage(title: string, shared: boolean): string {
    return this.#did(() => this.#parts.workspace.addPage(title, { shared }).id);
  }

  addDatabase(title: string, parent: string, properties: readonly NewProperty[]): string {
    const { workspace } = this.#parts;
    if (!workspace.pages.has(parent)) throw new ControlError('There is no such page.');
    const made = properties.map(({ name, type }) => workspace.property(name, type));
    return this.#did(() => workspace.addDatabase(title, parent, made).id);
  }

  /** Adds a second data source; returns its id. */
  addSource(database: string, name: string): string {
    const { workspace } = this.#parts;
    const properties = [workspace.property('Name', 'title')];
    return this.#did(() => workspace.addSource(this.#database(database), name, properties).id);
  }

  /** Shares a page or a database with the connection, or stops sharing it. */
  share(id: string, shared: boolean): void {
    const { pages, databases } = this.#parts.workspace;
    const record = pages.get(id) ?? databases.get(id);
    if (record === undefined) throw new ControlError('There is no such page or database.');
    this.#did(() => {
      record.shared = shared;
    });
  }

  /** Moves a page, a database or a row to the trash, or restores it. */
  trash(id: string, inTrash: boolean): void {
    const { pages, databases, rows } = this.#parts.workspace;
    const record = pages.get(id) ?? databases.get(id) ?? rows.get(id);
    if (record === undefined) throw new ControlError('There is no such page, database or row.');
    this.#did(() => {
      record.inTrash = inTrash;
    });
  }

  /** Deletes a row or a database permanently. */
  purge(id: string): void {
    const { databases, rows } = this.#parts.workspace;
    this.#did(() => {
      if (!rows.delete(id) && !databases.delete(id))
        throw new ControlError('There is no such row or database.');
    });
  }

  /** Duplicates a row, as a person does; returns the id of the copy. */
  copyRow(id: string): string {
    const { workspace } = this.#parts;
    const row = workspace.rows.get(id);
    const source = workspace.sources.get(row?.source ?? '');
    if (row === undefined || source === undefined) throw new ControlError('There is no such row.');
    return this.#did(() => workspace.addRow(source, { ...row.cells }).id);
  }

  renameDatabase(id: string, title: string): void {
    this.#did(() => {
      this.#database(id).title = title;
      this.#source(id).name = title;
    });
  }

  addProperty(database: string, { name, type }: NewProperty): void {
    this.#did(() => this.#source(database).properties.push(this.#parts.workspace.property(name, type)));
  }

  renameProperty(database: string, name: string, to: string): void {
    this.#did(() => {
      this.#property(database, name).name = to;
    });
  }

  /** Deletes a property with its contents. */
  removeProperty(database: string, name: string): void {
    const source = this.#source(database);
    const property = this.#property(database, name);
    this.#did(() => {
      source.properties = source.properties.filter((one) => one !== property);
      for (const row of this.rows(database)) delete row.cells[property.id];
    });
  }

  /** @param place from 0 */
  moveProperty(database: string, name: string, place: number): void {
    const source = this.#source(database);
    const property = this.#property(database, name);
    this.#did(() => {
      source.properties = source.properties.filter((one) => one !== property).toSpliced(place, 0, property);
    });
  }

  /** Writes a text into a cell, as a person does. */
  editText(row: string, name: string, text: string): void {
    const record = this.#parts.workspace.rows.get(row);
    const source = this.#parts.workspace.sources.get(record?.source ?? '');
    const property = source?.properties.find((one) => one.name === name);
    if (record === undefined || property === undefined) throw new ControlError('There is no such cell.');
    if (property.type !== 'title' && property.type !== 'rich_text')
      throw new ControlError('The cell holds no text.');
    this.#did(() => {
      record.cells[property.id] = [text];
    });
  }

  /** As if the person had removed the connection from the workspace. */
  revokeGrants(): void {
    this.#parts.authorizationServer.revokeSubject(BOT_ID);
    this.#changed();
  }

  /** Expires all access tokens; refresh tokens stay valid. */
  expireTokens(): void {
    for (const { access } of this.#parts.authorizationServer.read()) access.length = 0;
    this.#changed();
  }

  grants(): { readonly count: number } {
    return { count: this.#parts.authorizationServer.count };
  }

  set(settings: Partial<NotionSettings>): void {
    Object.assign(this.#parts.settings, settings);
  }

  #database(id: string) {
    const database = this.#parts.workspace.databases.get(id);
    if (database === undefined) throw new ControlError('There is no such database.');
    return database;
  }

  /** The first data source of a database. */
  #source(database: string): SourceRecord {
    const [first = ''] = this.#database(database).sources;
    const source = this.#parts.workspace.sources.get(first);
    if (source === undefined) throw new ControlError('The database has no data source.');
    return source;
  }

  #property(database: string, name: string): PropertyRecord {
    const property = this.#source(database).properties.find((one) => one.name === name);
    if (property === undefined) throw new ControlError('There is no such property.');
    return property;
  }

  #did<T>(act: () => T): T {
    const result = act();
    this.#changed();
    return result;
  }
}

interface NewProperty {
  readonly name: string;
  readonly type: PropertyType;
}
