import type * as english from '../../src/text/charts.ts';

export const CHARTS: typeof english.CHARTS = {
  period: 'Zeitraum',
  months: (count) => `${count} Monate`,
  worth: 'Nettovermögen',
  worthHow:
    'Berechnet aus den heutigen Kontoständen und den Umsätzen nach dem Tag ihrer Buchung; frühere Kontostände melden Banken nicht.',
  budget: 'Einnahmen und Ausgaben',
  spending: 'Ausgaben',
};
