import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-checks.ts';

const rows = (count: number) => counted(count, 'Zeile', 'Zeilen');

export const DRY_RUN: typeof english.DRY_RUN = {
  title: 'Probelauf',
  intro:
    'Liest bei der Bank, was der nächste Lauf lesen würde, und zeigt, was er tun würde. Nichts wird geschrieben.',
  action: 'Probelauf starten',
  again: 'Wiederholen',
  reading: 'Daten werden bei der Bank gelesen… Das kann bis zu zwei Minuten dauern.',
  stop: 'Anhalten',
  failed: 'Der Probelauf hat nicht funktioniert',
  nothing: 'Der nächste Lauf würde nichts ändern',
  nothingText: (count) => `${counted(count, 'Zeile ist', 'Zeilen sind')} bereits aktuell.`,
  summary: (added, updated, removed, skipped) =>
    [
      `Hinzuzufügen: ${rows(added)}`,
      ...(updated === 0 ? [] : [`zu aktualisieren: ${rows(updated)}`]),
      ...(removed === 0 ? [] : [`zu entfernen: ${rows(removed)}`]),
      ...(skipped === 0 ? [] : [`durch Regeln übersprungen: ${rows(skipped)}`]),
    ].join(', '),
  unchanged: (count) => `${rows(count)} unverändert`,
  unreadable: (count) =>
    counted(
      count,
      'Zeile konnte nicht gelesen werden und würde abgelehnt',
      'Zeilen konnten nicht gelesen werden und würden abgelehnt',
    ),
  action_of: {
    add: 'Hinzufügen',
    update: 'Aktualisieren',
    remove: 'Entfernen',
    skip: 'Überspringen',
  },
  removed: 'Eine Zeile, die die Bank nicht mehr meldet',
  truncated: (count) =>
    `Aufgeführt: ${counted(count, 'Zeile', 'Zeilen')} vom Anfang; die Zahlen umfassen alle.`,
  rows: 'Zeilen',
  tags: (tags) => `Schlagwörter: ${tags}`,
  memo: (memo) => `Notiz: ${memo}`,
  rules: (count) => `${counted(count, 'Regel', 'Regeln')} angewendet`,
  noDay: 'Noch kein Tag',
};

export const VERIFY: typeof english.VERIFY = {
  title: 'Abgleich',
  intro:
    'Liest alles bei der Bank und am Ziel und vergleicht Zeile für Zeile. Nichts wird geschrieben. Das kann einige Minuten dauern.',
  action: 'Abgleich starten',
  again: 'Erneut abgleichen',
  reading: 'Bank und Ziel werden verglichen… Das kann bis zu zehn Minuten dauern.',
  stop: 'Anhalten',
  failed: 'Der Abgleich hat nicht funktioniert',
  alike: 'Das Ziel zeigt, was die Bank hat',
  alikeText: (count) => `${counted(count, 'Zeile stimmt', 'Zeilen stimmen')} überein.`,
  recordText: (count) =>
    `${counted(count, 'Zeile wurde', 'Zeilen wurden')} so übertragen, wie die Bank sie hat. Ein Webhook lässt sich nicht lesen; was der Empfänger damit getan hat, ist nicht bekannt.`,
  differs: (problems) => counted(problems, 'Abweichung', 'Abweichungen'),
  differsText:
    'Eine Abweichung ist nicht immer ein Fehler: Vielleicht hat jemand eine Zeile absichtlich bearbeitet oder gelöscht.',
  counts: {
    bank: 'Zeilen bei der Bank',
    destination: 'Zeilen am Ziel',
    alike: 'Gleich',
    skipped_by_rules: 'Durch Regeln übersprungen',
    in_doubt: 'Bis zum nächsten Lauf unbestätigt',
    others: 'Andere Zeilen dort',
    unreadable: 'Nicht lesbar',
    not_compared: 'Nicht verglichen',
  },
  kind: {
    missing: 'Fehlt',
    extra: 'Überzählig',
    different: 'Abweichend',
    doubled: 'Doppelt vorhanden',
  },
  reason: {
    not_delivered_yet: 'Noch nicht übertragen.',
    refused: 'Das Ziel kann diese Zeile nicht so darstellen, wie sie ist.',
    removed_there: 'Sie wurde übertragen und dort entfernt.',
    withdrawn_by_bank: 'Die Bank meldet sie nicht mehr.',
    still_there: 'Sie wurde entfernt und ist wieder da.',
    unknown_position: 'Weder die Bank noch das Protokoll der Übertragungen kennt diese Position.',
    edited_there: 'Sie wurde dort bearbeitet.',
    account_differs: 'Nur Name, Nummer oder Bank des Kontos weichen ab.',
    changed_since: 'Die Bank, eine Regel oder eine Zuordnung hat sie nach der Übertragung geändert.',
    change_refused: 'Sie hat sich geändert, und das Ziel kann den neuen Stand nicht darstellen.',
    replaced_since: 'Sie ist unter einer früheren ID vorhanden.',
    stands_twice: 'Sie ist mehr als einmal vorhanden.',
  },
  remedy: {
    run: 'Der nächste Lauf behebt das.',
    resync: '„Alles neu senden“ behebt das, macht aber auch beabsichtigte Änderungen rückgängig.',
    person: 'Das können nur Sie beheben.',
  },
  refusal: {
    amount: 'Ihr Betrag hat mehr Stellen, als das Ziel aufnimmt.',
    currency: 'Sie hat eine andere Währung als das Budget.',
    day: 'Das Ziel akzeptiert ihren Tag nicht.',
    size: 'Ihr Text ist länger, als das Ziel aufnimmt.',
  },
  column: {
    absent: (name) => `Die Spalte „${name}“ fehlt`,
    wrong_type: (name) => `Die Spalte „${name}“ hat einen ungeeigneten Typ`,
  },
  columnRemedy: {
    run: 'Der nächste Lauf ergänzt sie.',
    resync: '„Alles neu senden“ ergänzt und füllt sie.',
    person: 'Ändern Sie den Typ dort.',
  },
  columns: 'Spalten',
  problems: 'Abweichungen',
  expected: (name, value) => `${name}: erwartet ${value}`,
  found: (value) => `vorhanden ${value}`,
  quoted: (value) => `„${value}“`,
  empty: 'leer',
  nothing: 'nichts',
  truncated: (count) => `Aufgeführt: ${counted(count, 'Abweichung', 'Abweichungen')} vom Anfang.`,
  unreadable: (count) =>
    counted(
      count,
      'Zeile konnte nicht gelesen werden und wurde nicht verglichen',
      'Zeilen konnten nicht gelesen werden und wurden nicht verglichen',
    ),
  rejected: (count) => `${rows(count)} im letzten Lauf vom Ziel abgelehnt`,
};
