import type * as english from '../../src/text/charts.ts';

export const CHARTS: typeof english.CHARTS = {
  period: 'Période',
  months: (count) => `${count} mois`,
  worth: 'Patrimoine net',
  worthHow:
    'Calculé à partir des soldes actuels et des transactions d’après leur jour de comptabilisation ; les banques ne communiquent pas les soldes antérieurs.',
  budget: 'Revenus et dépenses',
  spending: 'Dépenses',
};
