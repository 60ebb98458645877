import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/saved-views.ts';

export const SAVED_VIEWS: typeof english.SAVED_VIEWS = {
  title: 'Gespeicherte Ansichten',
  save: 'Ansicht speichern',
  saveTitle: 'Diese Filter als Ansicht speichern',
  name: 'Name',
  moves: (days) =>
    days === 1 ? 'Immer der letzte Tag' : `Immer die letzten ${counted(days, 'Tag', 'Tage')}`,
  movesHint: 'Sonst behält die Ansicht den ersten Tag, der jetzt angezeigt wird.',
  update: 'Diese Ansicht aktualisieren',
  updated: (name) => `„${name}“ hat jetzt die Filter, die Sie sehen`,
  left: (name) => `„${name}“ wurde seitdem an anderer Stelle geändert und bleibt, wie sie ist.`,
  actionsOf: (name) => `Aktionen für „${name}“`,
  rename: 'Umbenennen',
  renameTitle: (name) => `„${name}“ umbenennen`,
  delete: 'Löschen',
  deleted: (name) => `„${name}“ wurde gelöscht`,
  failed: {
    save: 'Die Ansicht wurde nicht gespeichert',
    update: (name) => `„${name}“ wurde nicht geändert`,
    delete: (name) => `„${name}“ wurde nicht gelöscht`,
    restore: (name) => `„${name}“ konnte nicht wiederhergestellt werden`,
    read: 'Ihre gespeicherten Ansichten konnten nicht geladen werden',
  },
};
