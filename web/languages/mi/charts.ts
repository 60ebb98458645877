import type * as english from '../../src/text/charts.ts';

/** What pages say of their charts before those are loaded. */
export const CHARTS: typeof english.CHARTS = {
  period: 'Te wā',
  months: (count) => `${count} marama`,
  worth: 'Uara more',
  worthHow:
    'I tātaihia i ngā toenga o nāianei me ngā tauwhitinga, i te rā i tuhia ai; kāore ngā pēke e tuku i ngā toenga o mua.',
  budget: 'Ngā whiwhinga me ngā whakapaunga',
  spending: 'Ngā whakapaunga',
};
