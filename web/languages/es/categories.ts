import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/categories.ts';

const codes = (count: number) => counted(count, 'código', 'códigos');
const categories = (count: number) => counted(count, 'categoría', 'categorías');

export const CATEGORIES: typeof english.CATEGORIES = {
  title: 'Categorías',
  tabs: 'Categorías y reglas',
  rules: 'Reglas',
  intro:
    'Su banco asigna un código a cada movimiento, y se muestra la categoría que usted ha asignado a ese código. Los movimientos no cambian: una asignación nueva se ve de inmediato, incluso en los del año pasado.',
  newGroup: 'Grupo nuevo',
  addTo: (group) => `Categoría nueva en ${group}`,
  more: 'Más acciones',
  reset: 'Restablecer las categorías predeterminadas',
  showArchived: (count) => `Mostrar archivadas (${count})`,
  archived: 'Archivada',
  count: categories,
  noSources: 'Sin códigos asignados',
  sources: (names) => names.join(', '),
  emptyGroup: 'Este grupo aún está vacío. Añada una categoría o arrastre una hasta aquí.',
  onlyArchived: 'Todo lo que hay en este grupo está archivado.',
  none: 'No tiene categorías',
  noneText: 'Cree las categorías predeterminadas y cambie lo que quiera, o empiece con un grupo propio.',
  createDefaults: 'Crear las categorías predeterminadas',
  wholeGroup: (name) => `Todo el grupo ${name}`,
  gone: 'Una categoría eliminada',
  actionsOf: (name) => `Acciones de ${name}`,
  actions: {
    edit: 'Editar',
    claims: 'Elegir códigos',
    up: 'Subir',
    down: 'Bajar',
    move: 'Mover a un grupo',
    archive: 'Archivar',
    restore: 'Restaurar',
    delete: 'Eliminar',
  },
  done: {
    archived: (name) => `Se ha archivado ${name}`,
    archivedText: 'Aquí ya no se muestra. Conserva sus códigos asignados y sus movimientos siguen en ella.',
    restored: (name) => `Se ha restaurado ${name}`,
    restoredText: 'Se vuelve a mostrar.',
    deleted: (name) => `Se ha eliminado ${name}`,
    released: 'Sus códigos vuelven a estar libres.',
    reassigned: (name) => `Sus códigos se han asignado a ${name}.`,
    claimed: (name, count) => `${name} tiene ahora ${counted(count, 'código asignado', 'códigos asignados')}`,
    claimedText: 'A partir de ahora, los movimientos con estos códigos muestran esta categoría.',
    taken: (names) => `Códigos retirados de: ${names.join(', ')}.`,
    reset: 'Se han restablecido las categorías predeterminadas',
    resetText: 'Todas las categorías son nuevas. Revise las reglas que asignan o buscan una categoría.',
  },
  failed: {
    move: (name) => `No se ha movido ${name}`,
    change: (name) => `No se ha cambiado ${name}`,
    archive: (name) => `No se ha archivado ${name}`,
    restore: (name) => `No se ha restaurado ${name}`,
    create: (name) => `No se ha creado ${name}`,
    delete: (name) => `No se ha eliminado ${name}`,
    claim: (name) => `No se han cambiado los códigos de ${name}`,
    reset: 'No se ha restablecido nada',
    codes: 'No se han podido cargar los códigos',
  },
  resetting: {
    title: '¿Restablecer las categorías predeterminadas?',
    text: (count) =>
      count === 0
        ? 'Se crean las categorías predeterminadas, con sus códigos asignados.'
        : `Se ${count === 1 ? 'elimina' : 'eliminan'} ${categories(count)} con sus asignaciones y, en su lugar, se crean las predeterminadas. Esta acción no se puede deshacer.`,
    rules:
      'Las reglas que mencionan una de sus categorías dejan de aplicarse, porque las nuevas tienen otros identificadores.',
    action: 'Restablecer',
  },
};

export const DRAGGING: typeof english.DRAGGING = {
  grip: (name) => `Mover ${name}`,
  hint: 'Pulse Espacio para levantar, las flechas para mover, Espacio para soltar y Escape para cancelar.',
  lifted: (name, place) => `Elemento levantado: ${name}. ${place} Muévalo con las flechas.`,
  dropped: (name, place) => `Elemento soltado: ${name}. ${place}`,
  cancelled: (name, place) => `Elemento devuelto a su lugar: ${name}. ${place}`,
  place: (at, of, group) => `Lugar ${at} de ${of} en ${group}.`,
  groupPlace: (at, of) => `Grupo ${at} de ${of}.`,
};

export const CATEGORY_FORM: typeof english.CATEGORY_FORM = {
  editCategory: (name) => `Editar ${name}`,
  newGroup: 'Grupo nuevo',
  newCategory: (group) => `Categoría nueva en ${group}`,
  name: 'Nombre',
  icon: 'Icono',
  iconHint: 'Un emoji o unas pocas letras.',
  icons: 'Iconos sugeridos',
  color: 'Color',
  otherColor: 'Otro color',
  colors: {
    '#2f9e44': 'Verde',
    '#1971c2': 'Azul',
    '#0c8599': 'Verde azulado',
    '#e8590c': 'Naranja',
    '#c2255c': 'Rosa',
    '#9c36b5': 'Morado',
    '#495057': 'Pizarra',
    '#868e96': 'Gris',
  },
  create: 'Crear',
};

export const MOVING: typeof english.MOVING = {
  title: (name) => `Mover ${name} a un grupo`,
  group: 'Grupo',
  action: 'Mover',
  hint: 'Queda al final del grupo.',
};

export const DELETING: typeof english.DELETING = {
  title: (name) => `¿Eliminar ${name}?`,
  cannot:
    'Esta acción no se puede deshacer. Si prefiere ocultarla y conservar sus códigos asignados, archívela.',
  holds: (count) => `Este grupo contiene ${categories(count)}.`,
  cascade: (count) => `Eliminar también ${categories(count)} del grupo`,
  claims: (count) => `Aquí hay ${counted(count, 'código asignado', 'códigos asignados')}.`,
  after: 'Qué ocurre con los códigos',
  release: 'Dejarlos libres',
  releaseHint: 'Sus movimientos pasan a la categoría del código principal o se quedan sin categoría.',
  reassign: 'Asignarlos a otra categoría',
  target: 'Categoría a la que se asignan',
  rules: 'Las reglas que la mencionan dejan de aplicarse.',
  action: 'Eliminar',
};

export const CLAIMS: typeof english.CLAIMS = {
  title: (name) => `Códigos de ${name}`,
  intro:
    'Los movimientos con estos códigos van a esta categoría. Cada código pertenece como máximo a una categoría.',
  search: 'Buscar códigos',
  codes: 'Códigos de los proveedores',
  none: 'Ningún código coincide.',
  left: (count) =>
    count === 0
      ? null
      : count === 1
        ? 'Un código se ha cambiado entretanto en otro lugar y queda como está.'
        : `${codes(count)} se han cambiado entretanto en otro lugar y quedan como están.`,
  heldBy: (name) => `Ahora en ${name}`,
  here: 'En esta categoría',
  follows: (name) => `A falta de asignación, ${name}`,
  free: 'En ninguna categoría',
  chosen: (count) => counted(count, 'código seleccionado', 'códigos seleccionados'),
  takes: (list) => `Al guardar se retiran: ${listText(list)}.`,
  takesFrom: (count, name) => `${codes(count)} de ${name}`,
  save: 'Guardar códigos',
};

export const UNCLAIMED: typeof english.UNCLAIMED = {
  title: 'Códigos sin categoría',
  every: 'Todos los códigos conducen a una de sus categorías.',
  text: 'Los movimientos con estos códigos no muestran ninguna categoría. Elija una categoría a la que asignarlos.',
  count: codes,
  claimFor: (label) => `Categoría para ${label}`,
  choose: 'Elegir una categoría',
  action: 'Asignar',
  claim: (label) => `Asignar ${label}`,
};
