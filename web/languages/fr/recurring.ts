import { counted, listText, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/recurring.ts';

export const RECURRING: typeof english.RECURRING = {
  title: 'Récurrences',
  upcoming: '30 prochains jours',
  upcomingNone: 'Rien n’est attendu au cours des 30 prochains jours.',
  upcomingNote:
    'Calculé d’après les paiements antérieurs : les jours et les montants sont donc des prévisions. Un paiement en attente ne compte pas tant qu’il n’est pas comptabilisé.',
  out: (currency) => `Sorties attendues · ${currency}`,
  in: (currency) => `Entrées attendues · ${currency}`,
  expected: (day) => `Attendu vers le ${day}`,
  expectedToday: 'Attendu aux alentours d’aujourd’hui',
  late: (days) => `Attendu il y a ${counted(days, 'jour', 'jours')}`,
  all: (count) => `Tout afficher (${numberText(count)})`,
  fewer: 'Afficher moins',
  payments: 'Paiements',
  income: 'Revenus',
  paymentsNone: 'Aucun paiement ne revient encore assez régulièrement.',
  ended: 'Terminées',
  cadence: {
    weekly: 'Chaque semaine',
    fortnightly: 'Toutes les deux semaines',
    four_weekly: 'Toutes les quatre semaines',
    monthly: 'Chaque mois',
    quarterly: 'Tous les trois mois',
    yearly: 'Chaque année',
  },
  about: (amount) => `environ ${amount}`,
  total: (amount) => `Environ ${amount}`,
  varies: (least, most) => `Varie de ${least} à ${most}`,
  aYear: (amount) => `Environ ${amount} par an`,
  raised: (before, day) => `Était de ${before} avant le ${day}`,
  next: (day) => `Prochain vers le ${day}`,
  lastSeen: (day) => `Vu pour la dernière fois le ${day}`,
  count: (count) => counted(count, 'paiement', 'paiements'),
  none: 'Aucune récurrence trouvée',
  noneText:
    'Des paiements apparaissent ici lorsqu’ils sont revenus au moins trois fois à intervalles réguliers, ou deux fois s’ils reviennent une fois par an.',
  note: 'Trouvées dans les transactions comptabilisées des 13 derniers mois. Les virements, les comptes de prêt et les paiements des cartes connectées ne sont pas pris en compte.',
  missing: (accounts) => `Sans ${listText(accounts)}, car des transactions n’ont pas pu être lues.`,
  short: (accounts) =>
    `Plus de transactions que ce qui est lu ici, donc des paiements peu fréquents peuvent manquer : ${listText(accounts)}.`,
  comingUp: 'À venir',
  comingUpAside: '14 prochains jours',
  comingUpMore: (count) => `Et ${numberText(count)} de plus : voir toutes les récurrences`,
  comingUpAll: 'Voir toutes les récurrences',
};
