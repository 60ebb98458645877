import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/transactions.ts';

const transactions = (count: number) => counted(count, 'Umsatz', 'Umsätze');

export const TRANSACTIONS: typeof english.TRANSACTIONS = {
  title: 'Umsätze',
  tabs: 'Ansichten der Umsätze',
  recurring: 'Wiederkehrend',
  merchants: 'Händler',
  filters: 'Filter',
  account: 'Konto',
  everyAccount: 'Alle Konten',
  everyAccountOf: (bank) => `Alle bei ${bank}`,
  from: 'Von',
  to: 'Bis',
  search: 'Suche',
  kind: 'Anzeigen',
  kinds: {
    all: 'Alle',
    in: 'Eingänge',
    out: 'Ausgänge',
    spending: 'Ausgaben und Erstattungen',
    pending: 'Vorgemerkt',
  },
  category: 'Kategorie',
  everyCategory: 'Alle Kategorien',
  noCategory: 'Keine Kategorie',
  wholeGroup: (name) => `Alles aus ${name}`,
  uncategorised: 'Keine Kategorie, auch nicht von der Bank',
  ofBank: (code) => `${code}, nur von der Bank`,
  least: 'Mindestens',
  most: 'Höchstens',
  noAmount: (example) => `Geben Sie einen Betrag ein, etwa ${example}.`,
  sort: 'Sortieren nach',
  sorts: {
    newest: 'Neueste zuerst',
    oldest: 'Älteste zuerst',
    largest: 'Größter Betrag',
    smallest: 'Kleinster Betrag',
  },
  clear: 'Filter löschen',
  moreFilters: 'Mehr Filter',
  fewerFilters: 'Weniger Filter',
  pending: 'Vorgemerkt',
  pendingRows: (count) => `${numberText(count)} vorgemerkt`,
  showPending: 'Anzeigen',
  hidePending: 'Ausblenden',
  pendingAside: 'Können sich vor der Buchung ändern oder verschwinden',
  total: (amounts) => `Summe: ${amounts}`,
  amountsIn: (currency) => `Beträge in ${currency}`,
  noDate: 'Ohne Datum',
  rows: transactions,
  sortedSoFar: 'Unter diesen sortiert. Lesen Sie den ganzen Zeitraum, um ihn vollständig zu sortieren.',
  readWhole: 'Ganzen Zeitraum lesen',
  reading: (count) => `Wird gelesen… ${transactions(count)}`,
  loading: 'Ältere Umsätze werden geladen…',
  end: 'Keine älteren Umsätze in diesem Zeitraum',
  none: 'Keine Umsätze in diesem Zeitraum',
  noneText: 'Wählen Sie frühere Tage oder ein anderes Konto.',
  unmatched: 'Kein Umsatz passt',
  searched: (from, to) => `Durchsucht wurde ${from} bis ${to}.`,
  unmatchedText: 'Ändern Sie die Suche oder die Filter, um mehr zu sehen.',
  noAccount: 'Noch kein Bankkonto ist verbunden',
  noAccountText:
    'Verbinden Sie eine Bank, um ihre Umsätze zu sehen. Sie werden beim Ansehen von der Bank gelesen und nicht gespeichert.',
  moreFailed: 'Ältere Umsätze konnten nicht geladen werden',
  bankFailed: (bank) => `${bank} konnte nicht gelesen werden, daher fehlen die Umsätze hier`,
};

export const UNLINKED_ACCOUNT: typeof english.UNLINKED_ACCOUNT = {
  choice: 'Nicht mehr verbunden',
  title: 'Dieses Konto ist nicht mehr verbunden',
  text: 'Es wurde getrennt oder als neues Konto wieder verbunden. Wählen Sie ein anderes, oder lassen Sie alle anzeigen.',
  showAll: 'Alle Konten anzeigen',
};

export const TRANSACTION: typeof english.TRANSACTION = {
  account: 'Konto',
  bank: 'Bank',
  status: 'Status',
  statuses: { posted: 'Gebucht', pending: 'Vorgemerkt' },
  date: 'Datum',
  posted: 'Gebucht am',
  valueDate: 'Wertstellung',
  description: 'Beschreibung',
  more: 'Weitere Angaben der Bank',
  reference: 'Referenz',
  merchant: 'Händler',
  merchantCode: 'Branchencode des Händlers (MCC)',
  category: 'Kategorie',
  none: 'Keine',
  bankCategory: 'Kategorie der Bank',
  noCategory: 'Keine Kategorie',
  idOf: (id) => `Umsatz-ID: ${id}`,
  change: 'Kategorie ändern',
};

export const SELECTION: typeof english.SELECTION = {
  label: 'Ausgewählte Umsätze',
  start: 'Auswählen',
  stop: 'Fertig',
  one: (name) => `${name} auswählen`,
  chosen: (count) => `${numberText(count)} ausgewählt`,
  all: (count, complete) =>
    complete ? `Alle ${numberText(count)} auswählen` : `Alle bisherigen ${numberText(count)} auswählen`,
  clear: 'Auswahl aufheben',
};

export const LISTED: typeof english.LISTED = {
  narrowed: (found, read) => `${found} / ${read}`,
  soFar: (shown) => `${shown} bisher gelesen`,
};

export const EXPORTS: typeof english.EXPORTS = {
  action: 'Exportieren',
  title: 'Umsätze exportieren',
  everything: (days) => `Umsätze vom ${days}, auch noch nicht gelesene. Die Bank wird jetzt danach gefragt.`,
  filtered: (count) =>
    `${counted(count, 'Umsatz, der', 'Umsätze, die')} zu Ihren Filtern ${count === 1 ? 'passt' : 'passen'}.`,
  filteredSoFar: (count) =>
    `Bisher ${counted(count, 'Umsatz, der', 'Umsätze, die')} zu Ihren Filtern ${count === 1 ? 'passt' : 'passen'}. Der Rest des Zeitraums wird zuerst gelesen.`,
  days: (from, to) => `${from} bis ${to}`,
  format: 'Format',
  formats: { csv: 'CSV', jsonl: 'JSON-Zeilen', ofx: 'OFX', ofx1: 'OFX 1.02', qif: 'QIF' },
  hints: {
    csv: 'Für Tabellenprogramme. Einem Text, den ein Tabellenprogramm als Formel ausführen würde, wird ein Apostroph vorangestellt.',
    jsonl: 'Für Programme: Jede Zeile ist ein Umsatz, wie ihn die API zeigt.',
    ofx: 'Für Buchhaltungssoftware. Nur gebuchte Umsätze.',
    ofx1: 'Für Buchhaltungssoftware, die kein neueres OFX liest.',
    qif: 'Für Software, die kein OFX liest. Wird ein Zeitraum zweimal importiert, ist er doppelt vorhanden.',
  },
  statementFiltered:
    'Dieses Format enthält ganze Kontoauszüge. Löschen Sie die Filter, um einen zu exportieren.',
  save: 'Datei speichern',
  failed: 'Die Datei konnte nicht erstellt werden',
  done: 'Datei gespeichert',
  doneText: (count, file) => `${transactions(count)} in ${file}.`,
  // Headers of the CSV file, which importers know by their English names.
  bankCategory: 'Bank Category',
  reference: 'Reference',
  missingBanks: (names) => `Nicht enthalten, weil nicht lesbar: ${names.join(', ')}.`,
};
