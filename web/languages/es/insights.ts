import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/insights.ts';
import { CHARTS } from './charts.ts';

export const INSIGHTS: typeof english.INSIGHTS = {
  currency: 'Moneda',
  nothing: 'Ninguna de sus cuentas tiene un saldo o un movimiento que mostrar.',
  needsTransactions: 'Los ingresos y gastos necesitan los movimientos, que no se han podido leer.',
  needsBalances: 'Estos gráficos necesitan los saldos, que no se han podido leer.',
  worth: {
    label: (currency) => `Patrimonio neto en ${currency} al final de cada día`,
    total: (currency) => `Patrimonio neto · ${currency}`,
    today: 'Ahora',
    change: (change, day) => `${change} desde el ${day}`,
    bankChange: (change, day) => `${change} en bancos desde el ${day}`,
    held: 'Saldo a favor en bancos',
    owed: 'Deudas',
    invested: 'Inversiones',
    banks: 'En bancos, menos las deudas',
    withInvested: 'Con las inversiones',
    bandNote: 'Con las inversiones a su valor actual',
    parts: (currency) => `Monedas en ${currency}`,
    part: (own, rate) => `${own} a ${rate}`,
    currencyHead: 'Moneda',
    ownHead: 'Importe',
    rateHead: 'Cambio',
    noRate: 'No hace falta',
    level:
      'Las inversiones se representan como una banda uniforme, a su valor actual, porque los brókeres no comunican precios anteriores; por tanto, la variación es la de las cuentas bancarias. No se cuenta el efectivo en un bróker.',
    rates: (list) => `Convertido a los cambios que fijó el operador, para todos los días: ${listText(list)}.`,
    apart: (currencies, to) =>
      `${listText(currencies)} ${currencies.length === 1 ? 'se muestra' : 'se muestran'} por separado, porque no hay un tipo de cambio fijado a ${to}. Los tipos de cambio los fija el operador de este servicio.`,
    lacksMore: (count) =>
      count === 1
        ? `Falta ${counted(count, 'cuenta más', 'cuentas más')} en brókeres, que esta página no lee.`
        : `Faltan ${counted(count, 'cuenta más', 'cuentas más')} en brókeres, que esta página no lee.`,
    locked: 'Sin lo que tiene en brókeres, porque su plan no incluye datos de inversión.',
    ratesGuide: 'Cómo se fijan los tipos de cambio',
    noLine:
      'Sin cuentas bancarias no hay una línea en el tiempo, porque los brókeres no comunican precios anteriores.',
  },
  position: {
    title: 'Posición neta a lo largo del tiempo',
    label: (currency) => `Posición neta en ${currency} al final de cada día`,
    today: 'Hoy',
    since: (change, day) => `${change} desde el ${day}`,
    none: 'Ninguna cuenta en esta moneda tiene a la vez un saldo y movimientos que se puedan leer.',
    day: 'Día',
    value: 'Posición neta',
    course: (first, last, low, high) =>
      `De ${first.value} el ${first.day} a ${last.value} el ${last.day}. Mínimo el ${low.day}, con ${low.value}; máximo el ${high.day}, con ${high.value}.`,
  },
  budget: {
    title: CHARTS.budget,
    label: 'Ingresos y gastos por mes',
    in: 'Ingresos',
    out: 'Gastos',
    net: 'Ahorro',
    column: (month, income, spent) => `${month}: ingresos de ${income}, gastos de ${spent}`,
    month: 'Mes',
    description: (income, spent, months) =>
      `Ingresos de ${income} y gastos de ${spent} en ${counted(months, 'mes', 'meses')}.`,
    note: 'Movimientos contabilizados. No se incluyen transferencias, cuentas de préstamo ni pagos de tarjetas vinculadas.',
  },
  spending: {
    title: CHARTS.spending,
    byMonth: 'Gastos por mes',
    byCategory: (month) => `Gastos por categoría en ${month}`,
    earlier: 'Mes anterior',
    later: 'Mes siguiente',
    none: (month) => `Sin gastos en ${month}.`,
    uncategorised: 'Sin categoría',
    unnamed: 'Otra categoría',
    all: (count) => `Mostrar las ${count} categorías`,
    fewer: 'Mostrar menos',
    monthHead: 'Mes',
    categoryHead: 'Categoría',
    amountHead: 'Gastos',
    shareHead: 'Proporción',
    description: (highest, amount, average) =>
      `El mes con más gastos fue ${highest}: ${amount}. El promedio mensual es de ${average}.`,
    open: (name) => `De qué se compone ${name}`,
    back: 'Todas las categorías',
    kinds: (name) => `Clases de ${name}`,
    merchants: (name) => `Comercios en los que se gastó: ${name}`,
    kindsTitle: 'Por clase',
    merchantsTitle: 'Por comercio',
    otherKind: 'Sin clase',
    noMerchant: 'Sin nombre',
    more: (count) => counted(count, 'comercio más', 'comercios más'),
    rows: 'Ver los movimientos',
    otherCurrencies: (amounts, month) => `En otras monedas en ${month}: ${listText(amounts)}.`,
    leftOut:
      'Movimientos contabilizados. No se incluyen ingresos, transferencias ni retiros de efectivo; las cuotas de préstamos sí cuentan.',
    leftOutWithCards:
      'Movimientos contabilizados. No se incluyen ingresos, transferencias, retiros de efectivo ni pagos de sus tarjetas; las demás cuotas de préstamos sí cuentan.',
    missing: 'Algunas cuentas no se han podido leer, por lo que faltan sus gastos.',
    short: 'Una cuenta tiene más movimientos de los que se leen aquí, por lo que este mes no está completo.',
  },
  notes: {
    how: CHARTS.worthHow,
    unread: 'No se incluyen, porque no se han podido leer los movimientos:',
    withoutBalance: 'No se incluyen, porque no se ha podido leer ningún saldo:',
    unverified: 'No se incluyen, porque no se sabe si el saldo es una deuda o es a su favor:',
    short: (day) => `Comienza el ${day}, porque hay más movimientos de los que se leen aquí:`,
    still: 'Sin movimientos en este período, por lo que el saldo se considera sin cambios:',
    names: (list) => `${listText(list)}.`,
  },
};
