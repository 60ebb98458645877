import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/saved-views.ts';

export const SAVED_VIEWS: typeof english.SAVED_VIEWS = {
  title: 'Vues enregistrées',
  save: 'Enregistrer la vue',
  saveTitle: 'Enregistrer ces filtres comme vue',
  name: 'Nom',
  moves: (days) =>
    days === 1 ? 'Toujours le dernier jour' : `Toujours les ${numberText(days)} derniers jours`,
  movesHint: 'Sinon, la vue conserve le premier jour affiché actuellement.',
  update: 'Mettre à jour cette vue',
  updated: (name) => `La vue « ${name} » a maintenant les filtres affichés`,
  left: (name) => `La vue « ${name} » a été modifiée ailleurs entre-temps et reste telle quelle.`,
  actionsOf: (name) => `Actions pour ${name}`,
  rename: 'Renommer',
  renameTitle: (name) => `Renommer « ${name} »`,
  delete: 'Supprimer',
  deleted: (name) => `La vue « ${name} » a été supprimée`,
  failed: {
    save: 'La vue n’a pas été enregistrée',
    update: (name) => `La vue « ${name} » n’a pas été modifiée`,
    delete: (name) => `La vue « ${name} » n’a pas été supprimée`,
    restore: (name) => `La vue « ${name} » n’a pas pu être restaurée`,
    read: 'Vos vues enregistrées n’ont pas pu être chargées',
  },
};
