import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/syncs.ts';

export const SYNCS: typeof english.SYNCS = {
  title: 'Syncs',
  create: 'Neuer Sync',
  none: 'Noch wird nichts kopiert',
  noneText:
    'Ein Sync kopiert Umsätze, Positionen oder Trades in eine Tabelle, eine Budget-App, eine Datenbank oder an einen Webhook und hält sie aktuell.',
  noneLinked:
    'Verbinden Sie zuerst eine Bank. Dann können Sie ihre Umsätze dorthin kopieren, wo Sie damit arbeiten.',
  link: 'Bank verbinden',
  type: { transactions: 'Umsätze', holdings: 'Positionen', trades: 'Trades' },
  copies: (what, count, where) => `${what} von ${counted(count, 'Konto', 'Konten')} nach ${where}`,
  status: {
    running: 'Läuft',
    attention: 'Handlungsbedarf',
    idle: 'Aktuell',
    paused: 'Pausiert',
    fresh: 'Noch nicht gelaufen',
  },
  ran: (ago) => `Letzter Lauf ${ago}`,
  never: 'Noch nicht gelaufen',
  next: (when) => `nächster ${when}`,
  noNext: 'läuft nicht, solange er pausiert ist',
  run: 'Jetzt starten',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  actionsOf: (name) => `Aktionen für ${name}`,
  delete: 'Löschen',
  follow: 'Lauf verfolgen',
  look: 'Ansehen, was geschehen ist',
  failed: {
    run: (name) => `„${name}“ wurde nicht gestartet`,
    pause: (name) => `„${name}“ wurde nicht pausiert`,
    resume: (name) => `„${name}“ wurde nicht fortgesetzt`,
    delete: (name) => `„${name}“ wurde nicht gelöscht`,
    resync: (name) => `„${name}“ wurde nicht neu gesendet`,
    backfill: (name) => `Das Nachholen dieser Tage wurde bei „${name}“ nicht gestartet`,
    save: 'Die Änderung wurde nicht gespeichert',
  },
  done: {
    pause: (name) => `„${name}“ ist pausiert`,
    pauseText: 'Er läuft wieder, wenn Sie ihn fortsetzen. Ein bereits begonnener Lauf wurde abgebrochen.',
    resume: (name) => `„${name}“ ist fortgesetzt`,
    resumeText: 'Er läuft zur nächsten geplanten Zeit oder wenn Sie ihn starten.',
    run: (name) => `„${name}“ läuft`,
    runText: 'Neue und geänderte Zeilen erreichen das Ziel während des Laufs.',
  },
  deleting: {
    title: (name) => `„${name}“ löschen?`,
    does: 'Das kann nicht rückgängig gemacht werden. Die Folgen:',
    history: 'Der Sync wird mit seinen Einstellungen und allen Läufen gelöscht.',
    stops: 'Ein bereits begonnener Lauf wird beendet.',
    stays: (where) => `Übertragene Zeilen bleiben in ${where}, ebenso das Ziel und die Regelsätze.`,
    again:
      'Wenn Sie später einen anderen Sync zum selben Ziel einrichten, findet er die Zeilen anhand ihrer IDs und fügt keine doppelt hinzu, sofern das Ziel sie nachschlagen kann.',
  },
};

export const ATTENTION: typeof english.ATTENTION = {
  destination_auth_expired: {
    title: 'Das Ziel akzeptiert die Anmeldung nicht mehr',
    text: 'Nichts wird übertragen, bis Sie es erneut verbinden. Wartende Zeilen werden dann übertragen; keine geht verloren.',
    action: 'Erneut verbinden',
  },
  destination_resource_missing: {
    title: 'Der Speicherort dieses Syncs ist nicht mehr vorhanden',
    text: 'Die Tabelle, das Tabellenblatt oder das Budget wurde gelöscht oder ist nicht mehr freigegeben. Stellen Sie es dort wieder her oder wählen Sie einen anderen Speicherort.',
    action: 'Anderen Speicherort wählen',
  },
  destination_disabled: {
    title: 'Das Ziel wurde nach zu vielen Fehlern deaktiviert',
    text: 'Prüfen Sie, was die Zeilen empfängt, und aktivieren Sie das Ziel dann wieder.',
    action: 'Zum Ziel',
  },
  connection_lost: {
    title: 'Eine Bank, die dieser Sync liest, wurde gelöscht',
    text: 'Nehmen Sie ihre Konten aus dem Sync oder verbinden Sie die Bank erneut und wählen Sie ihre Konten aus.',
    action: 'Konten ändern',
  },
  consent_expired: {
    title: 'Die Zustimmung für eine Bank, die dieser Sync liest, ist abgelaufen',
    text: 'Erneuern Sie sie bei der Bank. Der nächste Lauf liest dann alles, was in der Zwischenzeit geschehen ist.',
    action: 'Zustimmung erneuern',
  },
  account_unavailable: {
    title: 'Die Bank meldet ein Konto dieses Syncs nicht mehr',
    text: 'Vielleicht ist es geschlossen oder nicht mehr freigegeben. Nehmen Sie es aus dem Sync oder geben Sie es bei der Bank wieder frei.',
    action: 'Konten ändern',
  },
  data_invalid: {
    title: 'Die Bank hat etwas gesendet, das nicht zu dem passt, was sie zuvor gesendet hat',
    text: 'Am Ziel wurde nichts entfernt. Alles wird täglich neu gelesen, bis es passt; Sie müssen nichts tun.',
    action: 'Letzten Lauf ansehen',
  },
  run_failed: {
    title: 'Der letzte Lauf ist fehlgeschlagen',
    text: 'Er wird automatisch wiederholt. Sehen Sie nach, was geschehen ist, oder starten Sie ihn jetzt.',
    action: 'Jetzt starten',
  },
};

export const SYNC_WARNINGS: typeof english.SYNC_WARNINGS = {
  same_account_twice: {
    title: 'Ein Bankkonto ist mehr als einmal in diesem Sync',
    text: (names) =>
      `${listText(names)} sind bei der Bank dasselbe Konto, das mehr als einmal verbunden ist. Jeder Umsatz wird für jedes davon einmal übertragen. Wenn Sie das nicht möchten, nehmen Sie alle bis auf eines aus dem Sync.`,
    action: 'Konten ändern',
  },
};

export const SYNC: typeof english.SYNC = {
  overview: 'Übersicht',
  from: 'Von',
  to: 'Nach',
  schedule: 'Zeitplan',
  last: 'Letzter Lauf',
  next: 'Nächster Lauf',
  since: 'Zeilen seit',
  sinceDay: (day) => `Zeilen seit ${day}`,
  ruleset: 'Regeln',
  noRuleset: 'Keine',
  paused: 'Pausiert',
  anyTime: 'Nicht geplant',
  history: 'Bisherige Läufe',
  historyAside: 'Die letzten 90 Tage',
  allRuns: 'Alle',
  filter: 'Läufe anzeigen',
  noRuns: 'Dieser Sync ist noch nicht gelaufen.',
  noRunsOf: 'Kein Lauf dieser Art in den letzten 90 Tagen.',
  settings: 'Einstellungen',
  change: 'Ändern',
  changeOf: (what) => `${what} ändern`,
  name: 'Name',
  nameMissing: 'Geben Sie einen Namen ein.',
  accounts: 'Konten',
  accountsAndPlaces: 'Konten und Zuordnung',
  categories: 'Kategoriezuordnung',
  columns: 'Spalten',
  options: 'Inhalt',
  standardColumns: 'Die Standardspalten',
  categoriesMapped: (count) =>
    count === 0 ? 'Keine zugeordnet' : counted(count, 'Kategorie zugeordnet', 'Kategorien zugeordnet'),
  fixed:
    'Was kopiert wird, das Ziel und ob Konten eigene Orte haben, lässt sich nicht ändern. Löschen Sie dafür diesen Sync und erstellen Sie einen neuen.',
  saved: 'Gespeichert',
  savedText: 'Die Änderung gilt ab dem nächsten Lauf.',
  more: 'Mehr',
  tools: 'Prüfen und reparieren',
  toolsText: {
    dryRun: 'Was würde der nächste Lauf tun? Liest bei der Bank und schreibt nichts.',
    verify: 'Zeigt das Ziel, was die Bank hat? Vergleicht Zeile für Zeile und schreibt nichts.',
    backfill: 'Einige Tage erneut lesen und übertragen, was dort fehlt oder sich geändert hat.',
    resync: 'Vergessen, was übertragen wurde, und alles neu senden.',
    export: 'Die Zeilen als Datei mitnehmen, so wie dieser Sync sie überträgt.',
  },
  dryRun: 'Probelauf',
  verify: 'Abgleich',
  backfill: 'Tage nachholen',
  resync: 'Alles neu senden',
  export: 'Exportieren',
};

export const RESYNC: typeof english.RESYNC = {
  title: (name) => `Alle Zeilen von „${name}“ neu senden?`,
  does: (day) => `Alles seit ${day} wird bei der Bank gelesen und neu gesendet:`,
  known:
    'Zeilen, die am Ziel vorhanden sind, werden anhand ihrer ID gefunden und überschrieben. Ihre Änderungen in den Spalten dieses Syncs gehen verloren.',
  webhook:
    'Der Webhook erhält jede Zeile noch einmal. Ein Empfänger, der sich keine IDs merkt, hat sie dann doppelt.',
  run: 'Ein bereits begonnener Lauf wird zuerst beendet.',
  action: 'Alles neu senden',
};

export const BACKFILL: typeof english.BACKFILL = {
  title: 'Tage nachholen',
  intro:
    'Liest diese Tage erneut bei der Bank und überträgt Zeilen, die dort fehlen oder sich geändert haben. Entfernt wird nichts.',
  from: 'Von',
  to: 'Bis',
  hint: (day) => `Nicht vor dem ${day}, dem ersten Tag dieses Syncs.`,
  order: 'Der erste Tag darf nicht nach dem letzten liegen.',
  action: 'Diese Tage nachholen',
};

export const EXPORT: typeof english.EXPORT = {
  title: 'Zeilen exportieren',
  intro: 'Live von Ihrer Bank gelesen, nach Kategorien und Regeln, so wie dieser Sync sie überträgt.',
  format: 'Format',
  formats: {
    csv: 'CSV, für Tabellenprogramme',
    ofx: 'OFX, für Buchhaltungsprogramme',
    ofx1: 'OFX 1.02, für Programme, die kein neueres lesen',
    qif: 'QIF, für Programme, die kein OFX lesen',
    jsonl: 'JSON-Zeilen, für Programme',
  },
  from: 'Von',
  to: 'Bis',
  fromHint: 'Leer: ab dem ersten Tag des Syncs',
  toHint: 'Leer: bis heute',
  bom: 'Datei als UTF-8 kennzeichnen (für ältere Versionen von Excel)',
  action: 'Herunterladen',
  reading: (size) => `Wird gelesen… bisher ${size}`,
  stop: 'Anhalten',
  done: (name) => `${name} wurde heruntergeladen`,
  failed: 'Die Datei konnte nicht vollständig gelesen werden, daher wurde nichts gespeichert',
};

export const RUN_CHART: typeof english.RUN_CHART = {
  label: (count) =>
    count === 1 ? `Der letzte Lauf (${count})` : `Die letzten ${counted(count, 'Lauf', 'Läufe')}`,
  description: (count, failed, most, longest) =>
    `${counted(count, 'Lauf', 'Läufe')}, ${failed === 0 ? 'keiner' : failed} fehlgeschlagen. Höchstens ${counted(most, 'Zeile', 'Zeilen')} und ${longest} pro Lauf.`,
  run: (at, status, rows, duration) => `${at}: ${status}, ${counted(rows, 'Zeile', 'Zeilen')}, ${duration}`,
  rows: 'Zeilen',
  duration: 'Dauer',
  started: 'Gestartet',
  status: 'Status',
  mark: '×',
};
