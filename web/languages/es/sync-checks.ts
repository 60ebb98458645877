import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-checks.ts';

export const DRY_RUN: typeof english.DRY_RUN = {
  title: 'Simulación',
  intro: 'Lee en el banco lo que leería la próxima ejecución y muestra lo que haría. No se escribe nada.',
  action: 'Iniciar la simulación',
  again: 'Repetirla',
  reading: 'Leyendo en el banco… Puede tardar hasta dos minutos.',
  stop: 'Detener',
  failed: 'La simulación no ha funcionado',
  nothing: 'La próxima ejecución no cambiaría nada',
  nothingText: (rows) => `${counted(rows, 'fila ya está', 'filas ya están')} al día.`,
  summary: (added, updated, removed, skipped) =>
    [
      `${counted(added, 'fila', 'filas')} por añadir`,
      ...(updated === 0 ? [] : [`${counted(updated, 'fila', 'filas')} por actualizar`]),
      ...(removed === 0 ? [] : [`${counted(removed, 'fila', 'filas')} por quitar`]),
      ...(skipped === 0 ? [] : [counted(skipped, 'fila omitida por reglas', 'filas omitidas por reglas')]),
    ].join(', '),
  unchanged: (rows) => counted(rows, 'fila sin cambios', 'filas sin cambios'),
  unreadable: (rows) =>
    counted(rows, 'fila no se pudo leer y se rechazaría', 'filas no se pudieron leer y se rechazarían'),
  action_of: { add: 'Añadir', update: 'Actualizar', remove: 'Quitar', skip: 'Omitir' },
  removed: 'Una fila que el banco ya no comunica',
  truncated: (rows) =>
    `${rows === 1 ? 'Se muestra solo' : 'Se muestran las primeras'} ${counted(rows, 'fila', 'filas')}; los recuentos las abarcan todas.`,
  rows: 'Filas',
  tags: (tags) => `Etiquetas: ${tags}`,
  memo: (memo) => `Nota: ${memo}`,
  rules: (count) => counted(count, 'regla aplicada', 'reglas aplicadas'),
  noDay: 'Sin fecha todavía',
};

export const VERIFY: typeof english.VERIFY = {
  title: 'Verificación',
  intro:
    'Lee todo en el banco y en el destino, y lo compara fila por fila. No se escribe nada. Puede tardar unos minutos.',
  action: 'Iniciar la verificación',
  again: 'Volver a verificar',
  reading: 'Comparando el banco con el destino… Puede tardar hasta diez minutos.',
  stop: 'Detener',
  failed: 'La verificación no ha funcionado',
  alike: 'El destino muestra lo que tiene el banco',
  alikeText: (rows) => `${counted(rows, 'fila coincide', 'filas coinciden')}.`,
  recordText: (rows) =>
    `${counted(rows, 'fila se entregó', 'filas se entregaron')} tal como ${rows === 1 ? 'la' : 'las'} tiene el banco. Un webhook no se puede leer, por lo que no se sabe qué hizo su receptor con ${rows === 1 ? 'ella' : 'ellas'}.`,
  differs: (problems) => counted(problems, 'diferencia', 'diferencias'),
  differsText:
    'Una diferencia no siempre es un error: alguien puede haber editado o eliminado una fila a propósito.',
  counts: {
    bank: 'Filas en el banco',
    destination: 'Filas en el destino',
    alike: 'Coincidentes',
    skipped_by_rules: 'Omitidas por reglas',
    in_doubt: 'Sin confirmar hasta la próxima ejecución',
    others: 'Otras filas en el destino',
    unreadable: 'No se pudieron leer',
    not_compared: 'Sin comparar',
  },
  kind: { missing: 'Falta', extra: 'Sobra', different: 'Diferente', doubled: 'Duplicada' },
  reason: {
    not_delivered_yet: 'Aún no se ha entregado.',
    refused: 'El destino no puede mostrar esta fila como está.',
    removed_there: 'Se entregó y se ha eliminado allí.',
    withdrawn_by_bank: 'El banco ya no la comunica.',
    still_there: 'Se eliminó y está allí de nuevo.',
    unknown_position: 'Ni el banco ni el registro de entregas conocen esta posición.',
    edited_there: 'Se editó allí.',
    account_differs: 'Solo difiere el nombre, el número o el banco de la cuenta.',
    changed_since: 'El banco, una regla o una correspondencia la cambió después de entregarla.',
    change_refused: 'Cambió, y el destino no puede mostrar cómo es ahora.',
    replaced_since: 'Está allí con un identificador anterior.',
    stands_twice: 'Está allí más de una vez.',
  },
  remedy: {
    run: 'La próxima ejecución lo corrige.',
    resync: 'Una resincronización lo corrige, y deshace los cambios intencionados.',
    person: 'Solo usted puede corregirlo.',
  },
  refusal: {
    amount: 'Su importe tiene más dígitos de los que admite el destino.',
    currency: 'Está en una moneda distinta de la del presupuesto.',
    day: 'El destino no admite su fecha.',
    size: 'Su texto es más largo de lo que admite el destino.',
  },
  column: {
    absent: (name) => `Falta la columna ${name}`,
    wrong_type: (name) => `La columna ${name} es de un tipo que no admite sus datos`,
  },
  columnRemedy: {
    run: 'La próxima ejecución la añade.',
    resync: 'Una resincronización la añade y la rellena.',
    person: 'Cambie su tipo allí.',
  },
  columns: 'Columnas',
  problems: 'Diferencias',
  expected: (name, value) => `${name} debería ser ${value}`,
  found: (value) => `muestra ${value}`,
  quoted: (value) => `«${value}»`,
  empty: 'vacío',
  nothing: 'nada',
  truncated: (rows) =>
    `${rows === 1 ? 'Se muestra solo' : 'Se muestran las primeras'} ${counted(rows, 'diferencia', 'diferencias')}.`,
  unreadable: (rows) =>
    counted(rows, 'fila no se pudo leer y no se comparó', 'filas no se pudieron leer y no se compararon'),
  rejected: (rows) =>
    `${counted(rows, 'fila rechazada', 'filas rechazadas')} por el destino en la última ejecución`,
};
