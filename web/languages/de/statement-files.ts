import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/statement-files.ts';

export const STATEMENT_FILES: typeof english.STATEMENT_FILES = {
  unlisted: 'Ihre Bank ist nicht dabei?',
  unlistedText: 'Laden Sie stattdessen ihre Kontoauszüge als Dateien hoch.',
  kept: 'Diese Dateien werden gespeichert',
  keptText:
    'Tributary speichert keine Finanzdaten, mit dieser einen Ausnahme: Ein Kontoauszug und die daraus übernommenen Buchungen werden verschlüsselt gespeichert, weil es keine Bank gibt, bei der man sie noch einmal abfragen könnte. Eine Datei wird gelöscht, 30 Tage nachdem jeder Sync ihres Kontos sie übertragen hat, oder nach so vielen Tagen, wie Sie wählen; und sofort, samt ihren Buchungen, wenn Sie sie löschen.',
  guide: 'Wie Kontoauszüge als Datei funktionieren',
  drop: 'Kontoauszüge hier ablegen',
  formats: (most) => `OFX, QFX, QIF, CSV, CAMT.053 oder MT940, je bis zu ${most}`,
  choose: 'Dateien auswählen',
  goInto: (account) => `Die Dateien gehören zu ${account}.`,
  uploads: 'Wird hochgeladen',
  waiting: 'Wartet auf die Datei davor',
  sending: 'Wird hochgeladen…',
  tooLarge: (size, most) => `Sie hat ${size}; erlaubt sind bis zu ${most}.`,
  empty: 'Sie ist leer.',
  remove: (file) => `${file} aus dieser Liste entfernen`,
  list: 'Hochgeladene Dateien',
  none: 'Noch kein Kontoauszug',
  noneText: 'Nach dem Hochladen sehen Sie, was in der Datei ist, bevor etwas zu einem Konto hinzukommt.',
  status: {
    uploaded: 'Noch nicht übernommen',
    taken: 'Übernommen',
    delivered: 'Übertragen',
    undone: 'Zurückgenommen',
  },
  uploaded: (ago) => `Hochgeladen ${ago}`,
  rowsIn: (rows, account) => `${counted(rows, 'Buchung', 'Buchungen')} in ${account}`,
  liveRows: (rows) =>
    `${counted(rows, 'Buchung', 'Buchungen')} ausgelassen, weil die Bank sie selbst liefert`,
  deletedOn: (day) => `Löschung am ${day}`,
  deletedAfter: (days) =>
    days === 0
      ? 'Löschung nach der Übertragung'
      : `Löschung ${counted(days, 'Tag', 'Tage')} nach der Übertragung`,
  keptForGood: 'Bleibt, bis Sie sie löschen',
  review: 'Ansehen',
  actionsOf: (file) => `Aktionen für ${file}`,
  undo: 'Buchungen zurücknehmen',
  download: 'Herunterladen',
  delete: 'Löschen',
  failed: {
    upload: (file) => `${file} wurde nicht hochgeladen`,
    take: (file) => `${file} wurde nicht übernommen`,
    undo: (file) => `Die Buchungen aus ${file} wurden nicht zurückgenommen`,
    delete: (file) => `${file} wurde nicht gelöscht`,
    download: (file) => `${file} wurde nicht heruntergeladen`,
    save: 'Die Änderung wurde nicht gespeichert',
    preview: 'Der Inhalt der Datei lässt sich nicht anzeigen',
  },
  done: {
    taken: (file) => `Übernommen: ${file}`,
    takenText: (rows) =>
      `${counted(rows, 'Buchung wird', 'Buchungen werden')} jetzt angezeigt. Die Syncs des Kontos starten.`,
    account: 'Konto anzeigen',
  },
  deleting: {
    title: (file) => `${file} löschen?`,
    text: 'Die Datei wird sofort gelöscht. Das kann nicht rückgängig gemacht werden.',
    rows: (rows) =>
      `${counted(rows, 'Buchung daraus wird', 'Buchungen daraus werden')} nicht mehr angezeigt, außer wenn eine andere Datei dieselbe hat. Syncs nehmen sie dann auch aus Ihren Zielen.`,
  },
};

export const STATEMENT_FILE: typeof english.STATEMENT_FILE = {
  plan: 'Was geschehen wird',
  account: 'Gehört zu',
  newAccount: 'Einem neuen Konto',
  byNumber: 'Dem Konto mit der Nummer in der Datei',
  several: (accounts) =>
    `Die Datei hat ${counted(accounts, 'Konto', 'Konten')}. Jedes kommt dorthin, wohin seine Nummer gehört.`,
  retention: 'Datei löschen',
  retentions: {
    atOnce: 'Sobald sie übertragen ist',
    after: (days) => `${counted(days, 'Tag', 'Tage')} nach der Übertragung`,
    never: 'Nur wenn ich sie lösche',
  },
  reading: 'Datei wird gelesen…',
  adds: (rows) =>
    rows === 0
      ? 'Nichts in dieser Datei ist neu.'
      : `${counted(rows, 'neue Buchung kommt', 'neue Buchungen kommen')} hinzu.`,
  takeRows: 'Buchungen übernehmen',
  take: (rows) =>
    rows === 0 ? 'Trotzdem übernehmen' : `${counted(rows, 'neue Buchung', 'neue Buchungen')} übernehmen`,
  into: (account) => `Kommt zu ${account}`,
  alike: (account) =>
    `Die meisten dieser Buchungen stehen schon in ${account}. Ist es dasselbe Konto, wählen Sie es oben aus, sonst sind sie doppelt vorhanden.`,
  makes: 'Ergibt ein neues Konto',
  makesBeside: (account) => `Ergibt ein neues Konto neben ${account} für das, was die Bank nicht liefert`,
  compared: (account) =>
    `${account} ist auch mit der Bank verbunden: Buchungen, die die Bank selbst liefert, werden ausgelassen.`,
  days: (from, to) => `${from} bis ${to}`,
  counts: {
    new: 'Neu',
    known: 'In einer früheren Datei',
    live: 'Von der Bank geliefert',
    pending: 'Noch nicht gebucht, ausgelassen',
    unreadable: 'Nicht lesbar',
  },
  rows: 'Buchungen der Datei',
  firstRows: (shown, all) => `Die ersten ${numberText(shown)} von ${numberText(all)} Buchungen`,
  noRows: 'Keine Buchung ist lesbar.',
  date: 'Datum',
  description: 'Beschreibung',
  amount: 'Betrag',
  outcome: 'Was geschieht',
  outcomes: {
    new: 'Kommt hinzu',
    known: 'Aus einer früheren Datei bekannt',
    live: 'Ausgelassen: Die Bank liefert sie',
  },
  unreadable: (rows) => `${counted(rows, 'Zeile ist', 'Zeilen sind')} nicht lesbar`,
  unreadableText:
    'Sie werden ausgelassen. Sollte es keine geben, berichtigen Sie, wie die Datei gelesen wird.',
  unreadableRow: (row, what) => `Zeile ${numberText(row)}: ${what}`,
  unreadableFields: {
    date: 'kein lesbares Datum',
    amount: 'kein lesbarer Betrag',
    row: 'weder Datum noch Betrag',
  },
  more: (rows) => `und ${numberText(rows)} weitere`,
  taken: 'Was übernommen wurde',
  takenNone: 'Nichts: Eine andere Datei oder die Bank hat jede Buchung.',
  takenAt: 'Übernommen',
  delivered: 'Übertragen',
  notDelivered: 'Noch nicht von jedem Sync des Kontos',
};

export const CSV_LAYOUT: typeof english.CSV_LAYOUT = {
  title: 'Wie die Spalten gelesen werden',
  hint: 'Aus der ganzen Datei erraten. Berichtigen Sie, was falsch ist: Die Buchungen darunter folgen, und die nächste Datei desselben Kontos wird ebenso gelesen.',
  unguessed:
    'Die Spalten dieser Datei lassen sich nicht erraten. Wählen Sie über ihnen, was sie enthalten: ein Datum, eine Beschreibung und einen Betrag. Die nächste Datei desselben Kontos wird ebenso gelesen.',
  doubts: 'Die Datei beweist nicht alles davon. Bitte prüfen Sie:',
  doubt: {
    columns: 'was jede Spalte enthält',
    date_order: 'ob zuerst der Tag oder der Monat kommt',
    decimal_sign: 'welches Zeichen vor den Nachkommastellen steht',
    direction: 'ob positive Beträge Eingänge oder Ausgaben sind',
  },
  delimiter: 'Zwischen den Spalten',
  delimiters: { comma: 'Komma', semicolon: 'Semikolon', tab: 'Tabulator', bar: 'Senkrechter Strich' },
  skip: 'Zeilen überspringen',
  header: 'Die erste Zeile benennt die Spalten',
  dateOrder: 'Reihenfolge im Datum',
  dateOrders: { ymd: 'Jahr, Monat, Tag', dmy: 'Tag, Monat, Jahr', mdy: 'Monat, Tag, Jahr' },
  decimalSign: 'Dezimalzeichen',
  decimalSigns: { point: 'Punkt (1234.50)', comma: 'Komma (1234,50)' },
  positive: 'Positive Beträge',
  positives: { in: 'Kamen herein', out: 'Gingen hinaus' },
  firstRows: 'Erste Zeilen der Datei',
  column: (at) => `Spalte ${numberText(at)}`,
  holds: (column) => `Was ${column} enthält`,
  notRead: 'Nicht gelesen',
  roles: {
    date: 'Datum',
    description: 'Beschreibung',
    amount: 'Betrag',
    debit: 'Ausgang',
    credit: 'Eingang',
    direction: 'Ein oder aus',
    counterparty: 'Gegenseite',
    value_date: 'Wertstellung',
    reference: 'Referenz',
    currency: 'Währung',
    category: 'Kategorie',
    balance: 'Kontostand',
    account: 'Konto',
  },
  needs: (what) => `Noch zu wählen: ${what}.`,
  need: { date: 'die Spalte mit dem Datum', description: 'eine Beschreibung', amount: 'die Beträge' },
  guess: 'Zurück zum Erratenen',
};

export const ACCOUNT_FILES: typeof english.ACCOUNT_FILES = {
  title: 'Kontoauszüge als Datei',
  text: 'Die Buchungen dieses Kontos stammen aus Dateien, die Sie hochladen. Dateien haben keinen Kontostand.',
  add: 'Datei hinzufügen',
  all: 'Alle Dateien',
};
