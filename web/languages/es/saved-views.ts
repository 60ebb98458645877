import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/saved-views.ts';

export const SAVED_VIEWS: typeof english.SAVED_VIEWS = {
  title: 'Vistas guardadas',
  save: 'Guardar vista',
  saveTitle: 'Guardar estos filtros como vista',
  name: 'Nombre',
  moves: (days) => (days === 1 ? 'Siempre el último día' : `Siempre los últimos ${numberText(days)} días`),
  movesHint: 'De lo contrario, la vista conserva el primer día que se muestra ahora.',
  update: 'Actualizar esta vista',
  updated: (name) => `«${name}» tiene ahora los filtros que usted ve`,
  left: (name) => `«${name}» se ha cambiado entretanto en otro lugar y queda como está.`,
  actionsOf: (name) => `Acciones de ${name}`,
  rename: 'Cambiar nombre',
  renameTitle: (name) => `Cambiar el nombre de ${name}`,
  delete: 'Eliminar',
  deleted: (name) => `Se ha eliminado «${name}»`,
  failed: {
    save: 'No se ha guardado la vista',
    update: (name) => `No se ha cambiado «${name}»`,
    delete: (name) => `No se ha eliminado «${name}»`,
    restore: (name) => `No se ha podido restaurar «${name}»`,
    read: 'No se han podido cargar sus vistas guardadas',
  },
};
