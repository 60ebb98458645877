import type * as english from '../../src/text/charts.ts';

export const CHARTS: typeof english.CHARTS = {
  period: 'Período',
  months: (count) => `${count} meses`,
  worth: 'Patrimonio neto',
  worthHow:
    'Calculado a partir de los saldos actuales y los movimientos según el día en que se contabilizaron; los bancos no comunican saldos anteriores.',
  budget: 'Ingresos y gastos',
  spending: 'Gastos',
};
