import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/investments.ts';

/** `A, B me C`: few browsers know how lists are written in te reo Māori, so `Intl.ListFormat` would write them in English. */
function listed(names: readonly string[]): string {
  const before = [...names];
  const last = before.pop() ?? '';
  return before.length === 0 ? last : `${before.join(', ')} me ${last}`;
}

export const BROKERAGE: typeof english.BROKERAGE = {
  tabs: 'Ngā pupuringa me ngā hokohoko',
  account: 'Pūkete',
  everyAccount: 'Ngā pūkete katoa',
  unlinked: 'Kāore anō he kaitakawaenga haumi kua honoa',
  unlinkedText:
    'Honoa he kaitakawaenga haumi kia kite i āu pupuringa me āu hokohoko. Ka pānuitia i te kaitakawaenga ina titiro koe, kāore e rokirokia.',
  link: 'Honoa he kaitakawaenga haumi',
  locked: 'Kāore ngā raraunga haumi i roto i tō mahere',
  lockedText:
    'E hiahiatia ana te mahere Professional, he wā whakamātau rānei, mō ngā pupuringa me ngā hokohoko. Ka noho tonu ngā pūkete pēke me ngā tauwhitinga.',
  explain: 'Ngā mea kei roto i ia mahere',
  accountFailed: (name) => `Kāore i taea te pānui i ${name}, nō reira kāore i konei`,
};

export const HOLDINGS: typeof english.HOLDINGS = {
  title: 'Ngā pupuringa',
  filters: 'Ngā tātari',
  sort: 'Kōmakahia mā',
  sorts: {
    value: 'Te uara nui rawa',
    name: 'Te ingoa',
    gain: 'Te hua nui rawa',
    loss: 'Te ngaronga nui rawa',
  },
  count: (count) => `${numberText(count)} pupuringa`,
  none: 'Kāore he pupuringa',
  noneText: 'Kāore te kaitakawaenga e whakarārangi pupuringa i ēnei pūkete. Ehara te moni i te pupuringa.',
  inCurrency: (currency) => `Ngā pupuringa, ${currency}`,
  value: 'Uara mākete',
  gain: 'Hua kāore anō i whiwhia',
  loss: 'Ngaronga kāore anō i pā',
  even: 'Hua, ngaronga rānei',
  unknownValues: (count) =>
    `Kāore he uara i te kaitakawaenga, nō reira kāore i roto i ngā tapeke: ${numberText(count)} pupuringa.`,
  unknownGains: (count) =>
    `Kāore he hua, he ngaronga rānei i te kaitakawaenga: ${numberText(count)} pupuringa.`,
  holding: 'Pupuringa',
  quantity: 'Maha',
  averagePrice: 'Utu toharite',
  price: 'Utu',
  account: 'Pūkete',
  share: 'Ōwehenga o te uara',
  unknown: 'Kāore i tukuna mai',
  unnamed: 'Pupuringa ingoakore',
  refresh: 'Pānuitia anō',
};

export const ALLOCATION: typeof english.ALLOCATION = {
  title: 'Tohanga',
  by: 'Whakarōpūhia mā te',
  choices: { position: 'Pupuringa', type: 'Momo', account: 'Pūkete', currency: 'Momo moni' },
  types: {
    stock: 'Ngā hea',
    adr: 'Ngā rihīti hea (ADR)',
    etf: 'Ngā tahua hokohoko (ETF)',
    mutual_fund: 'Ngā tahua haumi ngātahi',
    closed_end_fund: 'Ngā tahua haumi kati',
    crypto: 'Ngā moni matihiko (crypto)',
    option: 'Ngā kōwhiringa hokohoko',
    future: 'Ngā kirimana anamata',
    cfd: 'Ngā kirimana rerekētanga (CFD)',
    other: 'Ētahi atu',
    unknown: 'Kāore te momo i tukuna mai',
  },
  label: (by, currency) => `Te tohanga mā te ${by.toLowerCase()}, ${currency}`,
  inCurrency: (currency) => `Ngā mea ${currency}`,
  others: (count) => `${numberText(count)} atu`,
  value: 'Uara',
  share: 'Ōwehenga',
  apart:
    'Ka noho motuhake ngā momo moni kāore anō te kaiwhakahaere i whakarite pāpātanga whakawhiti i waenganui.',
  rates: (rates) => `I hurihia ki: ${listed(rates)}. Nā te kaiwhakahaere ngā pāpātanga i whakarite.`,
};

export const TRADES: typeof english.TRADES = {
  title: 'Ngā hokohoko',
  filters: 'Ngā tātari',
  from: 'Mai i',
  to: 'Ki',
  type: 'Momo',
  types: {
    all: 'Ngā momo katoa',
    buy: 'Hoko mai',
    sell: 'Hoko atu',
    dividend: 'Moni hua hea',
    split: 'Wehenga hea',
    transfer: 'Whakawhitinga',
    fee: 'Utu',
    interest: 'Huamoni',
    other: 'Ētahi atu',
  },
  rows: (count) => `${numberText(count)} hokohoko`,
  quantityAt: (quantity, price) => `${quantity} i te utu o ${price}`,
  fees: (fees) => `Ngā utu: ${fees}`,
  settles: (day) => `Ka whakaritea te utu: ${day}`,
  noAmount: 'Kāore he rahinga',
  older: 'Rapua ngā hokohoko o mua atu',
  loading: 'Kei te uta i ngā hokohoko o mua atu…',
  end: 'Kāore he hokohoko o mua atu i tēnei wā',
  none: 'Kāore he hokohoko i tēnei wā',
  noneText: 'Kōwhiria he rā o mua atu, he pūkete kē rānei.',
  unmatched: 'Kāore he hokohoko e hāngai ana',
  unmatchedText: 'Kōwhiria he momo kē, he pūkete kē rānei.',
  moreFailed: 'Kāore i taea te uta i ngā hokohoko o mua atu',
};
