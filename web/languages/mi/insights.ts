import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/insights.ts';

/** `A, B me C`: few browsers know how lists are written in te reo Māori, so `Intl.ListFormat` would write them in English. */
function listed(names: readonly string[]): string {
  const before = [...names];
  const last = before.pop() ?? '';
  return before.length === 0 ? last : `${before.join(', ')} me ${last}`;
}

export const INSIGHTS: typeof english.INSIGHTS = {
  currency: 'Momo moni',
  nothing: 'Kāore he toenga, he tauwhitinga rānei i ō pūkete hei whakaatu.',
  needsTransactions:
    'E hiahiatia ana ngā tauwhitinga mō ngā whiwhinga me ngā whakapaunga, engari kāore i taea te pānui.',
  needsBalances: 'E hiahiatia ana ngā toenga mō ēnei kauwhata, engari kāore i taea te pānui.',
  worth: {
    label: (currency) => `Te uara more i te mutunga o ia rā, ${currency}`,
    total: (currency) => `Uara more · ${currency}`,
    today: 'Ināianei',
    change: (change, day) => `${change} mai i te ${day}`,
    bankChange: (change, day) => `${change} i ngā pēke mai i te ${day}`,
    held: 'Ngā moni kei ngā pēke',
    owed: 'Ngā nama',
    invested: 'Ngā haumi',
    banks: 'Kei ngā pēke, tangohia ngā nama',
    withInvested: 'Me ngā haumi',
    bandNote: 'Me ngā haumi, i te uara o nāianei',
    parts: (currency) => `Ngā momo moni, ${currency}`,
    part: (own, rate) => `${own}, te pāpātanga: ${rate}`,
    currencyHead: 'Momo moni',
    ownHead: 'Rahinga',
    rateHead: 'Pāpātanga',
    noRate: 'Kāore i hiahiatia',
    level:
      'Kua tuhia papatahitia ngā haumi, i te uara o nāianei, nā te mea kāore ngā kaitakawaenga e tuku i ngā utu o mua; nō reira ko te rerekētanga nō ngā pūkete pēke. Kāore i tatauria te moni kei te kaitakawaenga.',
    rates: (list) =>
      `I hurihia ki ngā pāpātanga i whakaritea e te kaiwhakahaere, mō ngā rā katoa: ${listed(list)}.`,
    apart: (currencies, to) =>
      `E whakaatuhia motuhaketia ana: ${listed(currencies)}, nā te mea kāore he pāpātanga whakawhiti ki ${to} kua whakaritea. Mā te kaiwhakahaere o tēnei ratonga ngā pāpātanga e whakarite.`,
    lacksMore: (count) =>
      `Kāore i roto: ${numberText(count)} pūkete haumi anō, kāore e pānuitia ana e tēnei whārangi.`,
    locked:
      'Kāore i roto ngā mea kei ngā kaitakawaenga haumi, nā te mea kāore ngā raraunga haumi i roto i tō mahere.',
    ratesGuide: 'Me pēhea te whakarite pāpātanga whakawhiti',
    noLine:
      'Ki te kore he pūkete pēke, kāore he rārangi i te roanga o te wā, nā te mea kāore ngā kaitakawaenga e tuku i ngā utu o mua.',
  },
  position: {
    title: 'Te tūnga more i te roanga o te wā',
    label: (currency) => `Te tūnga more i te mutunga o ia rā, ${currency}`,
    today: 'Tēnei rā',
    since: (change, day) => `${change} mai i te ${day}`,
    none: 'Kāore he pūkete o tēnei momo moni ka taea te pānui te toenga me ngā tauwhitinga.',
    day: 'Rā',
    value: 'Tūnga more',
    course: (first, last, low, high) =>
      `Mai i te ${first.value} i te ${first.day} ki te ${last.value} i te ${last.day}. Te iti rawa: ${low.value} i te ${low.day}. Te nui rawa: ${high.value} i te ${high.day}.`,
  },
  budget: {
    title: 'Ngā whiwhinga me ngā whakapaunga',
    label: 'Ngā whiwhinga me ngā whakapaunga i ia marama',
    in: 'Ngā whiwhinga',
    out: 'Ngā whakapaunga',
    net: 'I penapenatia',
    column: (month, income, spent) => `${month}: ${income} i whiwhia, ${spent} i whakapaua`,
    month: 'Marama',
    description: (income, spent, months) =>
      `I whiwhia: ${income}. I whakapaua: ${spent}. Te roa: ${numberText(months)} marama.`,
    note: 'Ngā tauwhitinga kua tuhia. Kāore i roto ngā whakawhitinga, ngā pūkete taurewa me ngā utunga o ngā kāri kua honoa.',
  },
  spending: {
    title: 'Ngā whakapaunga',
    byMonth: 'Ngā whakapaunga i ia marama',
    byCategory: (month) => `Ngā whakapaunga i ia kāwai, ${month}`,
    earlier: 'Te marama o mua',
    later: 'Te marama o muri',
    none: (month) => `Kāore he whakapaunga: ${month}.`,
    uncategorised: 'Kāwai kore',
    unnamed: 'Tētahi atu kāwai',
    all: (count) => `Whakaaturia ngā kāwai katoa (${count})`,
    fewer: 'Kia iti iho te whakaatu',
    monthHead: 'Marama',
    categoryHead: 'Kāwai',
    amountHead: 'Whakapaunga',
    shareHead: 'Ōwehenga',
    description: (highest, amount, average) =>
      `Te marama nui rawa te whakapaunga: ${highest}, ${amount}. Te toharite o te marama: ${average}.`,
    open: (name) => `Ngā mea kei roto i ${name}`,
    back: 'Ngā kāwai katoa',
    kinds: (name) => `Ngā momo o ${name}`,
    merchants: (name) => `Ngā wāhi i whakapaua ai te moni mō ${name}`,
    kindsTitle: 'Mā te momo',
    merchantsTitle: 'Mā te kaihoko',
    otherKind: 'Momo kore',
    noMerchant: 'Ingoakore',
    more: (count) => `${numberText(count)} kaihoko anō`,
    rows: 'Tirohia ngā tauwhitinga',
    otherCurrencies: (amounts, month) => `I ētahi atu momo moni, ${month}: ${listed(amounts)}.`,
    leftOut:
      'Ngā tauwhitinga kua tuhia. Kāore i roto ngā whiwhinga, ngā whakawhitinga me ngā tangohanga moni; ka tatauria ngā utunga taurewa.',
    leftOutWithCards:
      'Ngā tauwhitinga kua tuhia. Kāore i roto ngā whiwhinga, ngā whakawhitinga, ngā tangohanga moni me ngā utunga o ō kāri; ka tatauria ētahi atu utunga taurewa.',
    missing: 'Kāore i taea te pānui i ētahi pūkete, nō reira kei te ngaro ō rātou whakapaunga.',
    short:
      'He maha ake ngā tauwhitinga o tētahi pūkete i ngā mea ka pānuitia i konei, nō reira kāore tēnei marama i te oti.',
  },
  notes: {
    how: 'I tātaihia i ngā toenga o nāianei me ngā tauwhitinga kua tuhia; kāore ngā pēke e tuku i ngā toenga o mua.',
    unread: 'Kāore i roto, nā te mea kāore i taea te pānui i ngā tauwhitinga:',
    withoutBalance: 'Kāore i roto, nā te mea kāore i taea te pānui i te toenga:',
    unverified: 'Kāore i roto, nā te mea kāore i te mōhiotia he nama te toenga, he moni tōrunga rānei:',
    short: (day) =>
      `Ka tīmata i te ${day}, nā te mea he maha ake ngā tauwhitinga i ngā mea ka pānuitia i konei:`,
    still: 'Kāore he tauwhitinga i tēnei wā, nō reira e kīia ana kāore te toenga i rerekē:',
    names: (list) => `${listed(list)}.`,
  },
};
