import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destinations.ts';

export const DESTINATIONS: typeof english.DESTINATIONS = {
  title: 'Ziele',
  add: 'Ziel hinzufügen',
  none: 'Noch kein Ziel',
  noneText:
    'Ein Ziel ist der Ort, an den ein Sync Ihre Umsätze kopiert: eine Tabelle, eine Datenbank, eine Budget-App oder ein eigener Server.',
  noTarget: 'Noch kein Speicherort ausgewählt',
  tab: (spreadsheet, tab) => `${spreadsheet} · ${tab}`,
  status: {
    active: 'Aktiv',
    incomplete: 'Nicht fertig',
    reauth_required: 'Anmeldung nötig',
    disabled: 'Deaktiviert',
  },
  noSync: 'Kein Sync schreibt hierher',
  writtenBy: (names) => `Hierher schreibt: ${names.join(', ')}`,
  syncs: (count) => counted(count, 'Sync schreibt hierher', 'Syncs schreiben hierher'),
  finish: 'Fertig einrichten',
  signIn: 'Erneut anmelden',
  newSecret: 'Zugangsdaten aktualisieren',
  enable: 'Aktivieren',
  actionsOf: (name) => `Aktionen für ${name}`,
  details: 'Öffnen',
  failed: {
    link: (name) => `Die Anmeldung bei ${name} kann derzeit nicht geöffnet werden`,
    enable: (name) => `„${name}“ wurde nicht aktiviert`,
    rename: (name) => `„${name}“ wurde nicht umbenannt`,
    delete: (name) => `„${name}“ wurde nicht gelöscht`,
    rotate: 'Der Signaturschlüssel wurde nicht ersetzt',
    secret: 'Die neuen Zugangsdaten wurden nicht akzeptiert',
    address: 'Die Adresse wurde nicht geändert',
  },
};

export const RETURNED: typeof english.RETURNED = {
  completed: 'Sie sind angemeldet',
  completedText: 'Tributary darf dort jetzt schreiben, bis Sie das hier oder dort widerrufen.',
  finding: 'Anmeldung wird abgeschlossen…',
  unknownLink: 'Das neue Ziel steht in der Liste. Öffnen Sie es, um zu wählen, wohin geschrieben wird.',
  failed: 'Es wurde nichts verbunden',
  unknown: 'Es wurde nichts weitergegeben. Sie können jederzeit neu beginnen.',
  reasons: {
    access_denied:
      'Der Zugriff wurde dort abgelehnt, daher wurde nichts weitergegeben. Sie können jederzeit neu beginnen.',
    cancelled: 'Sie haben abgebrochen. Es wurde nichts weitergegeben.',
    session_expired: 'Die Anmeldung hat länger als 30 Minuten gedauert. Beginnen Sie neu.',
    destination_deleted: 'Das Ziel wurde in der Zwischenzeit gelöscht.',
  },
};

export const DESTINATION: typeof english.DESTINATION = {
  facts: 'Details',
  type: 'Art',
  writesTo: 'Schreibt nach',
  open: (vendor) => `In ${vendor} öffnen`,
  status: 'Status',
  takes: 'Nimmt auf',
  holds: { transactions: 'Umsätze', holdings: 'Positionen', trades: 'Trades' },
  columns: 'Spalten',
  columnsOfSync: 'Werden im Sync festgelegt, der hierher schreibt',
  added: 'Hinzugefügt',
  changed: 'Zuletzt geändert',
  syncs: 'Syncs, die hierher schreiben',
  noSync: 'Noch kein Sync schreibt hierher.',
  neverSynced: 'Noch nicht gelaufen',
  lastSynced: (ago) => `Letzter Lauf ${ago}`,
  syncStatus: { idle: 'Bereit', running: 'Läuft', attention: 'Handlungsbedarf' },
  setUpSync: 'Sync einrichten',
  ready: 'Bereit zum Schreiben',
  readyText: 'Richten Sie einen Sync ein, um Ihre Konten dorthin zu kopieren.',
  target: 'Wählen, wohin geschrieben wird',
  targetAside: 'Der letzte Schritt',
  rename: 'Umbenennen',
  name: 'Name',
  nameMissing: 'Geben Sie einen Namen ein.',
  changeTarget: 'Speicherort ändern',
  changeTargetText:
    'Kein Sync schreibt hierher, daher lässt sich der Speicherort ändern. Was bisher geschrieben wurde, bleibt, wo es ist.',
  targetFixed: (names) =>
    `${
      names.length === 0
        ? 'Ein Sync schreibt bereits hierher.'
        : `Hierher schreibt bereits: ${names.join(', ')}.`
    } Tributary merkt sich, welche Zeilen übertragen wurden; an einem anderen Ort würden sie fehlen. Um anderswohin zu schreiben, fügen Sie ein weiteres Ziel hinzu und richten einen Sync dafür ein.`,
  reauthorize: 'Erneut anmelden',
  reauthorizeWhy: (vendor) =>
    `Sie melden sich bei ${vendor} an, erlauben den Zugriff erneut und kommen hierher zurück. Speicherort, Syncs und übertragene Zeilen bleiben erhalten. Die bisherige Erlaubnis endet.`,
  reauthorizeText: (vendor) =>
    `${vendor} akzeptiert die Anmeldung nicht mehr. Melden Sie sich erneut an: Speicherort, Syncs und übertragene Zeilen bleiben erhalten.`,
  secretText: (vendor) =>
    `${vendor} akzeptiert die Zugangsdaten nicht mehr. Geben Sie neue ein: Speicherort, Syncs und übertragene Zeilen bleiben erhalten.`,
  replaceSecret: 'Zugangsdaten aktualisieren',
  lapsed: 'Hierher kann nicht geschrieben werden',
  disabled: 'Zustellungen sind angehalten',
  gone: 'Ihr Empfänger hat mit 410 Gone geantwortet, also soll Tributary aufhören. Wenn er wieder bereit ist, aktivieren Sie das Ziel hier. Es geht nichts verloren.',
  failing: (last) =>
    `Fünf Läufe in Folge sind über mindestens einen Tag fehlgeschlagen. ${last}Beheben Sie das Problem beim Empfänger und aktivieren Sie das Ziel dann hier. Es geht nichts verloren.`,
  lastAnswer: (answer) => `Ergebnis des letzten Versuchs: ${answer}. `,
  enabled: 'Wieder aktiviert',
  enabledText: 'Der nächste Lauf des Syncs sendet, was gewartet hat.',
  renamed: 'Umbenannt',
  renamedText: 'Nur der Name hier hat sich geändert.',
  moved: 'Ab jetzt wird an den neuen Ort geschrieben',
  movedText: 'Was bisher geschrieben wurde, bleibt, wo es ist.',
  secretReplaced: 'Die neuen Zugangsdaten wurden akzeptiert',
  secretReplacedText: 'Der nächste Lauf verwendet sie.',
  address: 'Adresse ändern',
  addressText:
    'Ab der nächsten Zustellung gehen Ereignisse an die neue Adresse, mit demselben Schlüssel signiert. Bereits übertragene Zeilen werden nicht erneut gesendet: Senden Sie unten einen Zeitraum erneut, oder wählen Sie im Sync „Alles neu senden“.',
  addressLabel: 'Neue Adresse',
  addressMissing: 'Geben Sie eine Adresse ein.',
  delete: 'Löschen',
  deleting: {
    title: (name) => `„${name}“ löschen?`,
    does: 'Das kann nicht rückgängig gemacht werden. Die Folgen:',
    stops: (names) =>
      names.length === 1
        ? `Dieser Sync wird mit allen Läufen gelöscht: ${names.join(', ')}.`
        : `Diese Syncs werden mit allen Läufen gelöscht: ${names.join(', ')}.`,
    stopsUnnamed: (count) =>
      `${counted(count, 'Sync, der hierher schreibt, wird', 'Syncs, die hierher schreiben, werden')} mit allen Läufen gelöscht.`,
    stays: 'Alles, was dort geschrieben wurde, bleibt dort. Am anderen Ende wird nichts entfernt.',
    running:
      'Gerade schreibt ein Lauf hierher. Warten Sie, bis er endet, oder brechen Sie ihn ab, und löschen Sie dann.',
  },
};
