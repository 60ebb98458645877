import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/recurring.ts';

/** `A, B me C`: few browsers know how lists are written in te reo Māori, so `Intl.ListFormat` would write them in English. */
function listed(names: readonly string[]): string {
  const before = [...names];
  const last = before.pop() ?? '';
  return before.length === 0 ? last : `${before.join(', ')} me ${last}`;
}

export const RECURRING: typeof english.RECURRING = {
  title: 'Ngā mea auau',
  upcoming: 'Ngā rā 30 e tū mai nei',
  upcomingNone: 'Kāore he mea e matapaetia ana mō ngā rā 30 e tū mai nei.',
  upcomingNote:
    'I tātaihia i ngā utunga o mua, nō reira he matapae ngā rā me ngā rahinga. Kāore te utunga tārewa e tatauria kia tuhia rā anō.',
  out: (currency) => `Te moni puta e matapaetia ana · ${currency}`,
  in: (currency) => `Te moni kuhu e matapaetia ana · ${currency}`,
  expected: (day) => `E matapaetia ana, tata ki te ${day}`,
  expectedToday: 'E matapaetia ana, tata ki tēnei rā',
  late: (days) => `I matapaetia, ${numberText(days)} rā kua hipa`,
  all: (count) => `Whakaaturia te katoa (${numberText(count)})`,
  fewer: 'Kia iti iho te whakaatu',
  payments: 'Ngā utunga',
  income: 'Ngā whiwhinga',
  paymentsNone: 'Kāore anō he utunga e rite tonu ana te tae mai.',
  ended: 'Kua mutu',
  cadence: {
    weekly: 'Ia wiki',
    fortnightly: 'Ia rua wiki',
    four_weekly: 'Ia whā wiki',
    monthly: 'Ia marama',
    quarterly: 'Ia toru marama',
    yearly: 'Ia tau',
  },
  about: (amount) => `tata ki te ${amount}`,
  total: (amount) => `Tata ki te ${amount}`,
  varies: (least, most) => `Mai i te ${least} ki te ${most}`,
  aYear: (amount) => `Tata ki te ${amount} i te tau`,
  raised: (before, day) => `Ko te ${before} i mua i te ${day}`,
  next: (day) => `Te mea e whai ake nei: tata ki te ${day}`,
  lastSeen: (day) => `I kitea whakamutungatia i te ${day}`,
  count: (count) => `${numberText(count)} utunga`,
  none: 'Kāore he mea auau i kitea',
  noneText:
    'Ka kitea ngā utunga i konei ina tae mai kia toru ngā wā, i te iti rawa, me te rite o ngā takiwā i waenga, kia rua rānei ngā wā mēnā ka tae mai ia tau.',
  note: 'I kitea i ngā tauwhitinga kua tuhia o ngā marama 13 kua hipa. Kāore i roto ngā whakawhitinga, ngā pūkete taurewa me ngā utunga o ngā kāri kua honoa.',
  missing: (accounts) =>
    `Kāore i roto: ${listed(accounts)}, nā te mea kāore i taea te pānui i ngā tauwhitinga.`,
  short: (accounts) =>
    `He maha ake ngā tauwhitinga i ngā mea ka pānuitia i konei: ${listed(accounts)}. Nō reira tērā pea kei te ngaro ngā utunga he onge te tae mai.`,
  comingUp: 'E tū mai nei',
  comingUpAside: 'Ngā rā 14 e tū mai nei',
  comingUpMore: (count) => `Me ētahi atu e ${numberText(count)}: tirohia ngā mea auau katoa`,
  comingUpAll: 'Tirohia ngā mea auau katoa',
};
