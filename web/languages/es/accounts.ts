import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/accounts.ts';

export const ACCOUNT: typeof english.ACCOUNT = {
  countsInstead: (name) => `En los totales cuenta la otra ${name}`,
  title: 'Cuenta',
  all: 'Todos los movimientos',
  edit: {
    open: 'Editar',
    title: 'Nombre y totales',
    name: 'Nombre',
    inTotals: 'Contar esta cuenta en los totales',
    inTotalsHint: 'Patrimonio neto, saldos y gastos.',
    failed: 'No se han guardado los cambios',
  },
  balance: {
    title: 'Saldo',
    label: (currency) => `Saldo en ${currency} al final de cada día`,
    none: 'No se pueden leer el saldo o los movimientos de esta cuenta, por lo que no hay gráfico.',
    value: 'Saldo',
  },
  flow: {
    title: 'Entradas y salidas',
    label: 'Entradas y salidas por mes',
    in: 'Entradas',
    out: 'Salidas',
    net: 'Diferencia',
    month: 'Mes',
    description: (moneyIn, moneyOut, months) =>
      `Entradas de ${moneyIn} y salidas de ${moneyOut} en ${counted(months, 'mes', 'meses')}.`,
    column: (month, moneyIn, moneyOut) => `${month}: entradas de ${moneyIn}, salidas de ${moneyOut}`,
    note: 'Según el día de cada movimiento contabilizado, transferencias incluidas.',
  },
  latest: {
    title: 'Últimos movimientos',
    none: 'Aún no hay movimientos.',
    pending: 'Pendiente',
  },
  details: {
    title: 'Condiciones',
    aside: 'Tal como las comunica el banco',
    none: 'El banco no comunica las condiciones de esta cuenta.',
    product: 'Producto',
    number: 'Número de cuenta',
    currency: 'Moneda',
    type: 'Tipo',
    depositRates: 'Intereses a su favor',
    lendingRates: 'Intereses a su cargo',
    rate: 'Interés',
    comparison: 'Interés comparativo',
    applied: 'Liquidación',
    fees: 'Comisiones',
    features: 'Características',
    loan: 'Préstamo',
  },
  loan: {
    end: 'Vencimiento',
    start: 'Inicio',
    original: 'Importe inicial',
    repayment: 'Amortización',
    frequency: 'Frecuencia de pago',
    nextDate: 'Próxima cuota',
    instalment: 'Cuota mínima',
    maxRedraw: 'Disponible para retirar',
    minRedraw: 'Retiro mínimo',
    offset: 'Cuenta de compensación',
    yes: 'Sí',
    no: 'No',
  },
  range: {
    from: (least) => `Desde ${least}`,
    upTo: (most) => `Hasta ${most}`,
    between: (least, most) => `De ${least} a ${most}`,
  },
  consent: {
    title: 'Conexión',
    bank: 'Banco',
    status: 'Estado',
    ends: 'Fin del consentimiento',
    never: 'Sin fecha de fin',
  },
  syncs: {
    title: 'Sincronizaciones que la leen',
    none: 'Ninguna sincronización copia esta cuenta.',
    create: 'Crear una sincronización',
    to: (destination) => `Destino: ${destination}`,
  },
  every: {
    P1D: 'Diaria',
    P7D: 'Semanal',
    P1W: 'Semanal',
    P14D: 'Cada dos semanas',
    P2W: 'Cada dos semanas',
    P1M: 'Mensual',
    P3M: 'Cada tres meses',
    P6M: 'Cada seis meses',
    P1Y: 'Anual',
    P12M: 'Anual',
  },
  period: (unit, count) => {
    const [one, other] = PERIODS[unit];
    return `Cada ${counted(count, one, other)}`;
  },
};

const PERIODS = {
  D: ['día', 'días'],
  W: ['semana', 'semanas'],
  M: ['mes', 'meses'],
  Y: ['año', 'años'],
} as const;
