import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/category-change.ts';

const transactions = (count: number) => counted(count, 'movimiento', 'movimientos');

const SHOWN = 3;

/** The first few, and how many more there are. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `«${name}»`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} y ${numberText(more)} más`;
}

export const CATEGORY_CHANGE: typeof english.CATEGORY_CHANGE = {
  title: 'Cambiar la categoría',
  titleOf: (count) => `Cambiar la categoría de ${transactions(count)}`,
  category: 'Categoría nueva',
  choose: 'Elegir una categoría',
  loading: 'Cargando sus categorías…',
  noCategories: 'Aún no tiene categorías. Cree primero algunas en Categorías.',
  how: '¿Cómo debe aplicarse?',
  these: (count) => (count === 1 ? 'Solo este movimiento' : `Solo estos ${numberText(count)} movimientos`),
  theseHint:
    'Los demás conservan su categoría. Las sincronizaciones que usan sus categorías la escriben desde su próxima ejecución.',
  pendingLeft: (count) =>
    count === 1
      ? `${numberText(count)} de ellos aún está pendiente y se podrá cambiar cuando se contabilice.`
      : `${numberText(count)} de ellos aún están pendientes y se podrán cambiar cuando se contabilicen.`,
  byBank: 'Según la categoría del banco',
  theseDoneText: (count, name) => `${counted(count, 'movimiento', 'movimientos')}: ${name}.`,
  claim: 'Cambiar lo que significa la categoría del banco',
  claims: 'Cambiar lo que significan las categorías del banco',
  claimHint: (names) =>
    `Todo lo que el banco llama ${quoted(names)} va a la categoría nueva, también los movimientos pasados: aquí y en las sincronizaciones que usan sus categorías.`,
  codes: 'Lo que el banco llama',
  codeCount: (chosen) => `${numberText(chosen)} de los que ha seleccionado`,
  uncoded: (count) =>
    count === 1
      ? 'El banco no asigna categoría a 1 de ellos, que queda como está.'
      : `El banco no asigna categoría a ${numberText(count)} de ellos, que quedan como están.`,
  example: 'Movimientos como',
  claimless: 'El banco no asigna categoría a este movimiento, por lo que no hay nada que asignar.',
  claimed: 'Ya está en esta categoría.',
  rule: 'Hacerlo siempre con los movimientos como este',
  ruleOfSome: 'Hacerlo siempre con los movimientos como uno de estos',
  ruleHint:
    'Una regla cambia los movimientos de camino a sus destinos, a partir de la próxima ejecución. Esta página sigue mostrando la categoría que corresponde a la del banco.',
  claimEffect: (moved, read) =>
    `De ${transactions(read)} leídos hasta ahora, cambiarán de categoría ${numberText(moved)}.`,
  claimOthers: (count) =>
    count === 1
      ? `Entre ellos hay ${transactions(count)} que no está seleccionado.`
      : `Entre ellos hay ${transactions(count)} que no están seleccionados.`,
  claimTakes: (name, count) =>
    `${name} pierde ${count === 1 ? 'esta categoría del banco' : `${numberText(count)} categorías del banco`}.`,
  like: 'Los movimientos como este son aquellos en los que',
  likeness: 'Comparar',
  likenesses: {
    merchant: 'El comercio es',
    contains: 'La descripción contiene',
    equals: 'La descripción es exactamente',
  },
  text: 'Texto',
  onlyAccount: (name) => `Solo en ${name}`,
  onlyDirection: { credit: 'Solo entradas de dinero', debit: 'Solo salidas de dinero' },
  emptyText: 'Introduzca un texto para comparar.',
  matches: (matched, read) => `De ${transactions(read)} leídos hasta ahora, coinciden ${numberText(matched)}`,
  andMore: (count) => `y ${numberText(count)} más`,
  ruleset: 'Añadir la regla a',
  newRuleset: 'Un conjunto de reglas nuevo',
  rulesetName: 'Nombre del conjunto de reglas',
  defaultRuleset: 'Categorías',
  rulesetLabel: (name, syncs) =>
    `${name} (${syncs === 0 ? 'ninguna sincronización lo usa' : counted(syncs, 'sincronización lo usa', 'sincronizaciones lo usan')})`,
  rulesetOff:
    'Este conjunto de reglas está desactivado. Actívelo en Categorías para que la regla tenga efecto.',
  ruleName: (name, text) => `${name}: ${text}`,
  orderHint:
    'Las reglas se aplican en orden. Las reglas anteriores del conjunto pueden cambiar un movimiento antes de que llegue a esta.',
  save: { these: 'Cambiar la categoría', claim: 'Cambiar la categoría', rule: 'Crear la regla' },
  failed: {
    these: 'No se ha cambiado la categoría',
    claim: 'No se ha cambiado la categoría',
    rule: 'No se ha creado la regla',
    undo: 'No se ha deshecho el cambio',
  },
  claimDone: 'Categoría cambiada',
  claimDoneText: (codes, name) => `Lo que el banco llama ${quoted(codes)} es ahora ${name}.`,
  always: (name) => `Hacerlo siempre con ${name}`,
  ruleDone: (ruleset) => `Regla creada en ${ruleset}`,
  ruleDoneText:
    'Tiene efecto a partir de la próxima ejecución de las sincronizaciones que usan este conjunto de reglas.',
  ruleUnused:
    'Aún no hay ninguna sincronización que use este conjunto de reglas, así que la regla no hace nada hasta que lo asigne a una.',
  syncs: 'Sincronizaciones de movimientos',
  noSyncs: 'Aún no tiene sincronizaciones de movimientos. Asigne el conjunto de reglas cuando cree una.',
  uses: 'Usa este conjunto de reglas',
  usesNot: 'No lo usa',
  replaces: (name) => `Usa ahora ${name}, que se reemplaza al asignar este`,
  another: 'otro conjunto de reglas',
  sendsNone: 'No envía sus categorías. Actívelas en la sincronización para verlo en el destino.',
  attach: 'Asignar',
  attachTo: (name) => `Asignar a ${name}`,
  attachFailed: 'No se ha asignado el conjunto de reglas',
  readOnly: 'Puede ver esta cuenta, pero no cambiarla. Pida a un propietario que lo haga.',
};
