import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-settings.ts';

export const SYNC_FIELDS_TEXT: typeof english.SYNC_FIELDS_TEXT = {
  accounts: {
    legend: 'Welche Konten?',
    all: 'Alle Konten',
    chosen: (count) => `${counted(count, 'Konto', 'Konten')} ausgewählt`,
    none: {
      transactions: 'Kein Bankkonto ist verbunden. Verbinden Sie eine Bank, um ihre Umsätze zu kopieren.',
      holdings: 'Kein Depot ist verbunden. Verbinden Sie einen Broker, um Positionen zu kopieren.',
      trades: 'Kein Depot ist verbunden. Verbinden Sie einen Broker, um Trades zu kopieren.',
    },
    left: (count) =>
      `${counted(count, 'Konto anderer Art ist', 'Konten anderer Art sind')} nicht aufgeführt.`,
    unavailable: 'Von der Bank nicht mehr gemeldet',
    link: 'Bank verbinden',
  },
  places: {
    sheet: {
      legend: 'Wohin kommen die Zeilen jedes Kontos?',
      bulk: 'Alle in ein Tabellenblatt',
      bulkHint:
        'Eine Liste mit allen Konten, in dem Tabellenblatt, das Sie ausgewählt haben. Eine Spalte nennt das Konto jeder Zeile.',
      perAccount: 'Ein Tabellenblatt pro Konto',
      perAccountHint:
        'Tributary legt im ersten Lauf für jedes Konto ein Tabellenblatt an oder schreibt in ein vorhandenes.',
      newTab: 'Ein neues Tabellenblatt, im ersten Lauf angelegt',
      place: (account) => `Tabellenblatt für ${account}`,
      choose: 'Tabellenblatt wählen',
    },
    tabs: 'Welches Tabellenblatt nimmt die Zeilen jedes Kontos auf?',
    budget: {
      legend: 'Welches Konto des Budgets nimmt die Zeilen jedes Kontos auf?',
      place: (account) => `Budgetkonto für ${account}`,
      choose: 'Konto wählen',
    },
    none: 'Am Ziel gibt es nichts zur Auswahl. Legen Sie dort ein Konto an und sehen Sie dann erneut nach.',
    again: 'Erneut nachsehen',
    failed: 'Das Ziel konnte nicht befragt werden',
    truncated: 'Am Ziel gibt es mehr, als hier aufgeführt ist.',
  },
  categories: {
    legend: 'Welche Kategorie des Budgets nimmt welche Zeilen auf?',
    hint: 'Zeilen, deren Kategorie nicht zugeordnet ist, kommen ohne Kategorie an; Sie können sie dort einordnen.',
    unmapped: 'Leer lassen',
    details: (primary) => `Genauere Kategorien von ${primary}`,
    inside: (mapped, proposed) =>
      [
        mapped === 0 ? '' : ` · ${mapped} zugeordnet`,
        proposed === 0 ? '' : ` · ${proposed} vorgeschlagen`,
      ].join(''),
    failed: 'Die Kategorien des Budgets konnten nicht aufgelistet werden',
    group: 'Kategorien',
  },
  proposals: {
    title: (count) => `${counted(count, 'Vorschlag', 'Vorschläge')} für noch nicht Zugeordnetes`,
    text: 'Nach Name, Kontonummer und dem, was Ihre anderen Syncs verwenden. Nichts wird festgelegt, bevor Sie es annehmen.',
    accept: 'Alle annehmen',
    of: (name, why) => `Vorschlag: ${name} (${why})`,
    history: (sync) => `wie in ${sync}`,
    number: (digits) => `Nummer endet auf ${digits}`,
    same_name: 'gleicher Name',
    own_category: (name) => `Ihre Kategorie ${name}`,
    similar_name: 'ähnlicher Name',
    type: 'gleiche Art',
    accepted: (count) => `${counted(count, 'Zuordnung ist', 'Zuordnungen sind')} festgelegt`,
    acceptedText: 'Sehen Sie sie durch, bevor Sie speichern.',
  },
  columns: {
    legend: 'Spalten',
    standard: 'Die Standardspalten',
    own: 'Spalten auswählen und ordnen',
    ownHint: 'Nur diese werden geschrieben. Spalten, die Sie dort selbst hinzufügen, bleiben, wie sie sind.',
    key: 'Wird immer geschrieben: Daran werden Zeilen gefunden',
    up: (name) => `${name} nach oben verschieben`,
    down: (name) => `${name} nach unten verschieben`,
    empty: 'Wählen Sie mindestens eine Spalte.',
  },
  options: {
    from: 'Erster Tag',
    fromHint: (months) =>
      `Leer: vor ${counted(months, 'Monat', 'Monaten')}. Höchstens 7 Jahre zurück: Aus einem früheren Tag wird der früheste erlaubte, aus einem Tag in der Zukunft der heutige. Ihre Bank gibt möglicherweise weniger weiter.`,
    fromMoved: (asked, day) => `${asked} ist nicht möglich; Zeilen werden ab ${day} kopiert.`,
    legend: 'Zeilen',
    include_pending: 'Vorgemerkte Umsätze einschließen',
    include_pendingHint:
      'Sie können sich ändern oder verschwinden. Die Zeile wird bei der Buchung ersetzt und entfernt, wenn es nie dazu kommt.',
    mask_account_numbers: 'Kontonummern maskieren',
    mask_account_numbersHint:
      'Zeigt nur die letzten vier Ziffern, wo eine Spalte oder ein Feld die Nummer enthält.',
    custom_categories: 'Meine Kategorien verwenden',
    custom_categoriesHint: 'Schreibt Ihre eigene Kategorie anstelle der Kategorie der Bank.',
    include_balances_tab: 'Auch Kontostände schreiben',
    ruleset: 'Regeln',
    rulesetHint:
      'Zeilen unterwegs ändern, verschlagworten oder überspringen. Regeln gelten nicht für Positionen und Trades.',
    noRuleset: 'Keine Regeln',
    disabled: (name) => `${name} (ausgeschaltet)`,
    makeRules: 'Regeln erstellen',
  },
  schedule: {
    legend: 'Wann läuft er?',
    often: 'So oft, wie der Dienst es zulässt',
    oftenHint: 'Alle 6 Stunden, sofern der Betreiber dieser Installation nichts anderes festgelegt hat.',
    interval: 'In festem Abstand',
    every: 'Abstand',
    intervals: {
      360: 'Alle 6 Stunden',
      720: 'Alle 12 Stunden',
      1440: 'Täglich',
      2880: 'Alle 2 Tage',
      4320: 'Alle 3 Tage',
      10080: 'Wöchentlich',
    },
    times: 'Zu bestimmten Uhrzeiten',
    timesHint:
      'Mit mindestens 6 Stunden Abstand, sofern der Betreiber dieser Installation nichts anderes festgelegt hat.',
    time: (at) => `Uhrzeit ${at}`,
    addTime: 'Uhrzeit hinzufügen',
    removeTime: (time) => `${time} entfernen`,
    zone: 'Zeitzone',
    zoneHint: 'Es gilt die dortige Uhrzeit, im Sommer wie im Winter.',
    bad: 'Schreiben Sie Uhrzeiten wie 08:30.',
    twice: (time) => `${time} ist doppelt vorhanden.`,
    manual:
      'Ein Sync hat immer einen Zeitplan. Soll er nur auf Wunsch laufen, pausieren Sie ihn zwischen den Läufen.',
    /** The periods below have the words for „every“ already, which depend on them. */
    everyWords: (period) => `${period}`,
    minutes: (count) => `Alle ${count} Minuten`,
    hours: (count) => (count === 1 ? 'Stündlich' : `Alle ${counted(count, 'Stunde', 'Stunden')}`),
    days: (count) => (count === 1 ? 'Täglich' : `Alle ${counted(count, 'Tag', 'Tage')}`),
    aDay: 'Täglich',
    aWeek: 'Wöchentlich',
    atWords: (times, zone) => `Täglich um ${times} (${zone})`,
  },
};
