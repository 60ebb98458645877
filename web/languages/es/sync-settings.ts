import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-settings.ts';

export const SYNC_FIELDS_TEXT: typeof english.SYNC_FIELDS_TEXT = {
  accounts: {
    legend: '¿Qué cuentas?',
    all: 'Todas las cuentas',
    chosen: (count) => counted(count, 'cuenta seleccionada', 'cuentas seleccionadas'),
    none: {
      transactions: 'No hay ninguna cuenta bancaria vinculada. Vincule un banco para copiar sus movimientos.',
      holdings: 'No hay ninguna cuenta de inversión vinculada. Vincule un bróker para copiar las posiciones.',
      trades: 'No hay ninguna cuenta de inversión vinculada. Vincule un bróker para copiar las operaciones.',
    },
    left: (count) =>
      `${counted(count, 'cuenta de otro tipo no se muestra', 'cuentas de otro tipo no se muestran')}.`,
    unavailable: 'El banco ya no la muestra',
    link: 'Vincular un banco',
  },
  places: {
    sheet: {
      legend: '¿Adónde van las filas de cada cuenta?',
      bulk: 'Todas a una pestaña',
      bulkHint:
        'Una lista con todas las cuentas, en la pestaña que usted eligió. Una columna indica de qué cuenta procede cada fila.',
      perAccount: 'Una pestaña para cada cuenta',
      perAccountHint:
        'Tributary crea una pestaña para cada cuenta en la primera ejecución, o escribe en una que ya existe.',
      newTab: 'Una pestaña nueva, creada en la primera ejecución',
      place: (account) => `Pestaña para ${account}`,
      choose: 'Elegir una pestaña',
    },
    tabs: '¿Qué pestaña recibe las filas de cada cuenta?',
    budget: {
      legend: '¿Qué cuenta del presupuesto recibe las filas de cada cuenta?',
      place: (account) => `Cuenta del presupuesto para ${account}`,
      choose: 'Elegir una cuenta',
    },
    none: 'El destino no tiene nada que elegir. Cree una cuenta allí y vuelva a consultar.',
    again: 'Volver a consultar',
    failed: 'No se ha podido consultar el destino',
    truncated: 'El destino tiene más de lo que se muestra aquí.',
  },
  categories: {
    legend: '¿Qué categoría del presupuesto recibe qué filas?',
    hint: 'Las filas cuya categoría no tiene correspondencia llegan sin ninguna, para que usted las clasifique allí.',
    unmapped: 'Dejar en blanco',
    details: (primary) => `Categorías más precisas de ${primary}`,
    inside: (mapped, proposed) =>
      [
        mapped === 0 ? '' : ` · ${mapped} ${mapped === 1 ? 'asignada' : 'asignadas'}`,
        proposed === 0 ? '' : ` · ${proposed} ${proposed === 1 ? 'propuesta' : 'propuestas'}`,
      ].join(''),
    failed: 'No se han podido obtener las categorías del presupuesto',
    group: 'Categorías',
  },
  proposals: {
    title: (count) => `${counted(count, 'propuesta', 'propuestas')} para lo que aún no tiene correspondencia`,
    text: 'Según el nombre, el número de cuenta y lo que usan sus otras sincronizaciones. No se establece nada hasta que usted acepte.',
    accept: 'Aceptar todo',
    of: (name, why) => `Propuesta: ${name} (${why})`,
    history: (sync) => `como en ${sync}`,
    number: (digits) => `número terminado en ${digits}`,
    same_name: 'mismo nombre',
    own_category: (name) => `su categoría ${name}`,
    similar_name: 'nombre parecido',
    type: 'mismo tipo',
    accepted: (count) => counted(count, 'correspondencia establecida', 'correspondencias establecidas'),
    acceptedText: 'Revíselas antes de guardar.',
  },
  columns: {
    legend: 'Columnas',
    standard: 'Las columnas estándar',
    own: 'Elegir y ordenar las columnas',
    ownHint: 'Solo se escriben estas. Las columnas que usted añada allí quedan como están.',
    key: 'Se escribe siempre: sirve para encontrar las filas',
    up: (name) => `Subir ${name}`,
    down: (name) => `Bajar ${name}`,
    empty: 'Elija al menos una columna.',
  },
  options: {
    from: 'Primer día',
    fromHint: (months) =>
      `En blanco: ${counted(months, 'mes', 'meses')} atrás. Como máximo 7 años atrás: un día anterior se convierte en el primero permitido y un día futuro, en hoy. Su banco puede compartir menos.`,
    fromMoved: (asked, day) => `${asked} no es posible; las filas se copian desde: ${day}.`,
    legend: 'Filas',
    include_pending: 'Incluir los movimientos pendientes',
    include_pendingHint:
      'Pueden cambiar o desaparecer. La fila se reemplaza cuando el movimiento se contabiliza y se quita si no llega a contabilizarse.',
    mask_account_numbers: 'Ocultar los números de cuenta',
    mask_account_numbersHint:
      'Muestra solo los cuatro últimos dígitos en las columnas o los campos que contienen el número.',
    custom_categories: 'Usar mis categorías',
    custom_categoriesHint: 'Escribe la categoría de su propio árbol en lugar de la del banco.',
    include_balances_tab: 'Escribir también los saldos',
    ruleset: 'Reglas',
    rulesetHint:
      'Cambian, etiquetan u omiten filas en el camino. Las reglas no se aplican a posiciones ni operaciones.',
    noRuleset: 'Sin reglas',
    disabled: (name) => `${name} (desactivado)`,
    makeRules: 'Crear reglas',
  },
  schedule: {
    legend: '¿Cuándo se ejecuta?',
    often: 'Con la mayor frecuencia que permite el servicio',
    oftenHint: 'Cada 6 horas, salvo que el operador de esta instalación haya elegido otra cosa.',
    interval: 'A intervalos',
    every: 'Cada',
    intervals: {
      360: '6 horas',
      720: '12 horas',
      1440: 'día',
      2880: '2 días',
      4320: '3 días',
      10080: 'semana',
    },
    times: 'A horas determinadas',
    timesHint:
      'Con al menos 6 horas entre ellas, salvo que el operador de esta instalación haya elegido otra cosa.',
    time: (at) => `Hora ${at}`,
    addTime: 'Añadir una hora',
    removeTime: (time) => `Quitar ${time}`,
    zone: 'Zona horaria',
    zoneHint: 'Las horas son siempre las que marca allí el reloj, en verano y en invierno.',
    bad: 'Escriba las horas en la forma 08:30.',
    twice: (time) => `La hora ${time} está repetida.`,
    manual:
      'Una sincronización siempre tiene una programación. Para ejecutarla solo cuando usted lo pida, póngala en pausa entre ejecuciones.',
    everyWords: (period) => `Cada ${period}`,
    minutes: (count) => `${count} ${count === 1 ? 'minuto' : 'minutos'}`,
    hours: (count) => counted(count, 'hora', 'horas'),
    days: (count) => counted(count, 'día', 'días'),
    aDay: 'día',
    aWeek: 'semana',
    atWords: (times, zone) => `Todos los días: ${times} (${zone})`,
  },
};
