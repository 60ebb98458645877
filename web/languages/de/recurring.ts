import { counted, listText, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/recurring.ts';

export const RECURRING: typeof english.RECURRING = {
  title: 'Wiederkehrend',
  upcoming: 'Nächste 30 Tage',
  upcomingNone: 'In den nächsten 30 Tagen wird nichts erwartet.',
  upcomingNote:
    'Aus früheren Zahlungen ermittelt; Tage und Beträge sind daher Erwartungen. Eine vorgemerkte Zahlung zählt erst, wenn sie gebucht ist.',
  out: (currency) => `Erwartete Ausgänge · ${currency}`,
  in: (currency) => `Erwartete Eingänge · ${currency}`,
  expected: (day) => `Erwartet etwa am ${day}`,
  expectedToday: 'Etwa heute erwartet',
  late: (days) => `Vor ${counted(days, 'Tag', 'Tagen')} erwartet`,
  all: (count) => `Alle ${numberText(count)} anzeigen`,
  fewer: 'Weniger anzeigen',
  payments: 'Zahlungen',
  income: 'Einnahmen',
  paymentsNone: 'Noch kommt keine Zahlung regelmäßig genug vor.',
  ended: 'Beendet',
  cadence: {
    weekly: 'Jede Woche',
    fortnightly: 'Alle zwei Wochen',
    four_weekly: 'Alle vier Wochen',
    monthly: 'Jeden Monat',
    quarterly: 'Alle drei Monate',
    yearly: 'Jedes Jahr',
  },
  about: (amount) => `etwa ${amount}`,
  total: (amount) => `Etwa ${amount}`,
  varies: (least, most) => `Zwischen ${least} und ${most}`,
  aYear: (amount) => `Etwa ${amount} im Jahr`,
  raised: (before, day) => `Vor dem ${day}: ${before}`,
  next: (day) => `Nächstes Mal etwa am ${day}`,
  lastSeen: (day) => `Zuletzt am ${day}`,
  count: (count) => counted(count, 'Zahlung', 'Zahlungen'),
  none: 'Nichts Wiederkehrendes gefunden',
  noneText:
    'Zahlungen werden hier erkannt, sobald sie mindestens dreimal in regelmäßigen Abständen vorgekommen sind, oder zweimal, wenn sie einmal im Jahr vorkommen.',
  note: 'In gebuchten Umsätzen der letzten 13 Monate gefunden. Umbuchungen, Darlehenskonten und Zahlungen auf verbundene Karten sind nicht enthalten.',
  missing: (accounts) => `Ohne ${listText(accounts)}, weil die Umsätze nicht gelesen werden konnten.`,
  short: (accounts) =>
    `${listText(accounts)} ${accounts.length === 1 ? 'hat' : 'haben'} mehr Umsätze, als hier gelesen werden, daher können seltene Zahlungen fehlen.`,
  comingUp: 'Demnächst',
  comingUpAside: 'Nächste 14 Tage',
  comingUpMore: (count) => `Und ${numberText(count)} weitere: alles Wiederkehrende ansehen`,
  comingUpAll: 'Alles Wiederkehrende ansehen',
};
