import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const SAVED_VIEWS = translated('SAVED_VIEWS', {
  title: 'Saved views',
  save: 'Save view',
  saveTitle: 'Save these filters as a view',
  name: 'Name',
  moves: (days: number) => `Always the last ${counted(days, 'day', 'days')}`,
  movesHint: 'Otherwise the view keeps the first day that is shown now.',
  update: 'Update this view',
  updated: (name: string) => `“${name}” now has the filters you see`,
  left: (name: string) => `“${name}” was changed elsewhere since, and stays as it is.`,
  actionsOf: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  delete: 'Delete',
  deleted: (name: string) => `“${name}” is deleted`,
  failed: {
    save: 'The view was not saved',
    update: (name: string) => `“${name}” was not changed`,
    delete: (name: string) => `“${name}” was not deleted`,
    restore: (name: string) => `“${name}” could not be restored`,
    read: 'Your saved views could not be loaded',
  },
});
