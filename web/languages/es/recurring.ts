import { counted, listText, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/recurring.ts';

export const RECURRING: typeof english.RECURRING = {
  title: 'Periódicos',
  upcoming: 'Próximos 30 días',
  upcomingNone: 'No se espera nada en los próximos 30 días.',
  upcomingNote:
    'Calculado a partir de pagos anteriores, por lo que los días y los importes son previsiones. Un pago pendiente no cuenta hasta que se contabiliza.',
  out: (currency) => `Salidas previstas · ${currency}`,
  in: (currency) => `Entradas previstas · ${currency}`,
  expected: (day) => `Previsto hacia el ${day}`,
  expectedToday: 'Previsto para hoy aproximadamente',
  late: (days) => `Previsto hace ${counted(days, 'día', 'días')}`,
  all: (count) => `Mostrar todo (${numberText(count)})`,
  fewer: 'Mostrar menos',
  payments: 'Pagos',
  income: 'Ingresos',
  paymentsNone: 'Ningún pago se repite aún con suficiente regularidad.',
  ended: 'Terminados',
  cadence: {
    weekly: 'Cada semana',
    fortnightly: 'Cada dos semanas',
    four_weekly: 'Cada cuatro semanas',
    monthly: 'Cada mes',
    quarterly: 'Cada tres meses',
    yearly: 'Cada año',
  },
  about: (amount) => `aprox. ${amount}`,
  total: (amount) => `Aprox. ${amount}`,
  varies: (least, most) => `Varía de ${least} a ${most}`,
  aYear: (amount) => `Aprox. ${amount} al año`,
  raised: (before, day) => `Antes del ${day}: ${before}`,
  next: (day) => `Próximo hacia el ${day}`,
  lastSeen: (day) => `Visto por última vez el ${day}`,
  count: (count) => counted(count, 'pago', 'pagos'),
  none: 'No se ha encontrado nada periódico',
  noneText:
    'Los pagos aparecen aquí cuando se han repetido al menos tres veces a intervalos regulares, o dos si son anuales.',
  note: 'Según los movimientos contabilizados de los últimos 13 meses. No se incluyen transferencias, cuentas de préstamo ni pagos de tarjetas vinculadas.',
  missing: (accounts) => `Sin ${listText(accounts)}, porque no se han podido leer los movimientos.`,
  short: (accounts) =>
    `${listText(accounts)} ${accounts.length === 1 ? 'tiene' : 'tienen'} más movimientos de los que se leen aquí, por lo que pueden faltar pagos poco frecuentes.`,
  comingUp: 'Próximamente',
  comingUpAside: 'Próximos 14 días',
  comingUpMore: (count) => `Y ${numberText(count)} más: ver todo lo periódico`,
  comingUpAll: 'Ver todo lo periódico',
};
