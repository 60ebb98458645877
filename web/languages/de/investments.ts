import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/investments.ts';

export const BROKERAGE: typeof english.BROKERAGE = {
  tabs: 'Positionen und Trades',
  account: 'Depot',
  everyAccount: 'Alle Depots',
  unlinked: 'Noch kein Broker ist verbunden',
  unlinkedText:
    'Verbinden Sie einen Broker, um zu sehen, was Sie halten und gehandelt haben. Die Daten werden beim Ansehen vom Broker gelesen und nicht gespeichert.',
  link: 'Broker verbinden',
  locked: 'Ihr Tarif enthält keine Depotdaten',
  lockedText:
    'Positionen und Trades sind im Tarif Professional oder in der Testphase enthalten. Bankkonten und ihre Umsätze bleiben, wie sie sind.',
  explain: 'Was die Tarife enthalten',
  accountFailed: (name) => `${name} konnte nicht gelesen werden und fehlt daher hier`,
};

export const HOLDINGS: typeof english.HOLDINGS = {
  title: 'Positionen',
  filters: 'Filter',
  sort: 'Sortieren nach',
  sorts: {
    value: 'Größter Wert',
    name: 'Name',
    gain: 'Größter Gewinn',
    loss: 'Größter Verlust',
  },
  count: (count) => counted(count, 'Position', 'Positionen'),
  none: 'Keine Positionen',
  noneText: 'Der Broker meldet in diesen Depots keine Positionen. Guthaben zählt nicht als Position.',
  inCurrency: (currency) => `Positionen in ${currency}`,
  value: 'Marktwert',
  gain: 'Nicht realisierter Gewinn',
  loss: 'Nicht realisierter Verlust',
  even: 'Gewinn oder Verlust',
  unknownValues: (count) =>
    `${counted(count, 'Position hat', 'Positionen haben')} beim Broker keinen Wert und ${count === 1 ? 'fehlt' : 'fehlen'} in den Summen.`,
  unknownGains: (count) =>
    `${counted(count, 'Position hat', 'Positionen haben')} beim Broker keinen Gewinn oder Verlust.`,
  holding: 'Position',
  quantity: 'Stück',
  averagePrice: 'Durchschnittskurs',
  price: 'Kurs',
  account: 'Depot',
  share: 'Anteil am Wert',
  unknown: 'Nicht gemeldet',
  unnamed: 'Position ohne Namen',
  refresh: 'Erneut lesen',
};

export const ALLOCATION: typeof english.ALLOCATION = {
  title: 'Aufteilung',
  by: 'Zusammengefasst nach',
  choices: { position: 'Position', type: 'Art', account: 'Depot', currency: 'Währung' },
  types: {
    stock: 'Aktien',
    adr: 'Hinterlegungsscheine',
    etf: 'Börsengehandelte Fonds (ETF)',
    mutual_fund: 'Investmentfonds',
    closed_end_fund: 'Geschlossene Fonds',
    crypto: 'Kryptowährungen',
    option: 'Optionen',
    future: 'Futures',
    cfd: 'Differenzkontrakte (CFD)',
    other: 'Sonstige',
    unknown: 'Art nicht gemeldet',
  },
  label: (by, currency) => `Aufteilung nach ${by}, in ${currency}`,
  inCurrency: (currency) => `In ${currency}`,
  others: (count) => counted(count, 'weitere', 'weitere'),
  value: 'Wert',
  share: 'Anteil',
  apart: 'Währungen stehen getrennt, wenn der Betreiber keinen Wechselkurs zwischen ihnen festgelegt hat.',
  rates: (rates) => `Umgerechnet zu ${listText(rates)}, vom Betreiber festgelegt.`,
};

export const TRADES: typeof english.TRADES = {
  title: 'Trades',
  filters: 'Filter',
  from: 'Von',
  to: 'Bis',
  type: 'Art',
  types: {
    all: 'Alle Arten',
    buy: 'Kauf',
    sell: 'Verkauf',
    dividend: 'Dividende',
    split: 'Aktiensplit',
    transfer: 'Übertrag',
    fee: 'Gebühr',
    interest: 'Zinsen',
    other: 'Sonstiges',
  },
  rows: (count) => counted(count, 'Trade', 'Trades'),
  quantityAt: (quantity, price) => `${quantity} zu ${price}`,
  fees: (fees) => `Gebühren ${fees}`,
  settles: (day) => `Valuta ${day}`,
  noAmount: 'Kein Betrag',
  older: 'Ältere Trades suchen',
  loading: 'Ältere Trades werden geladen…',
  end: 'Keine älteren Trades in diesem Zeitraum',
  none: 'Keine Trades in diesem Zeitraum',
  noneText: 'Wählen Sie frühere Tage oder ein anderes Depot.',
  unmatched: 'Kein Trade passt',
  unmatchedText: 'Wählen Sie eine andere Art oder ein anderes Depot.',
  moreFailed: 'Ältere Trades konnten nicht geladen werden',
};
