import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/api-keys.ts';

export const API_KEYS: typeof english.API_KEYS = {
  title: 'API-Schlüssel',
  intro:
    'Ein Programm weist sich bei jeder Anfrage mit seinem Schlüssel aus. Geben Sie jedem Programm einen eigenen Schlüssel mit nur den Berechtigungen, die es braucht: So können Sie einen widerrufen, ohne die anderen zu ändern.',
  all: 'Alle Schlüssel',
  create: 'API-Schlüssel erstellen',
  none: 'Noch kein API-Schlüssel',
  noneText:
    'Erstellen Sie einen, um mit einem eigenen Programm Ihre Konten zu lesen oder Ihre Syncs zu starten.',
  status: { active: 'Aktiv', expiring: 'Ersetzt', revoked: 'Widerrufen', expired: 'Abgelaufen' },
  stops: (moment) => `Gültig noch bis ${moment}`,
  expires: (moment) => `Läuft ab: ${moment}`,
  addresses: (count) => `Von ${counted(count, 'Adresse', 'Adressen')}`,
  scopes: (count) => counted(count, 'Berechtigung', 'Berechtigungen'),
  allScopes: 'Alle Berechtigungen',
  createdBy: (who) => `Erstellt von: ${who}`,
  makers: {
    operator: 'Betreiber',
    key: (name) => `API-Schlüssel „${name}“`,
  },
  legacy: 'Wurde erstellt, bevor es Berechtigungen gab: Er liest alles und ändert nichts.',
  facts: {
    prefix: 'Beginnt mit',
    createdBy: 'Erstellt von',
    expires: 'Läuft ab',
    stops: 'Gültig noch bis',
    addresses: 'Zugelassene Adressen',
    anywhere: 'Jede Adresse',
    replaces: 'Ersetzt',
    metadata: 'Metadaten',
  },
  scopesTitle: 'Was er darf',
  rotate: 'Erneuern',
  revoke: 'Widerrufen',
  rotating: {
    title: (name) => `„${name}“ erneuern?`,
    text: 'Sie erhalten einen neuen Schlüssel mit demselben Namen, denselben Berechtigungen, Adressen und demselben Ablaufdatum. Er wird nur einmal angezeigt.',
    grace: 'Gültigkeit des alten Schlüssels',
    graces: {
      '0': 'Endet sofort',
      '1h': 'Noch 1 Stunde',
      '24h': 'Noch 24 Stunden',
      '7d': 'Noch 7 Tage',
    },
    action: 'Schlüssel erneuern',
  },
  revoking: {
    title: (name) => `„${name}“ widerrufen?`,
    does: 'Das kann nicht rückgängig gemacht werden. Die Folgen:',
    stop: (prefix) => `Jede Anfrage mit dem Schlüssel ${prefix}… wird sofort abgelehnt.`,
    used: (ago) => `Was ihn ${ago} verwendet hat, funktioniert nicht mehr.`,
    unused: 'Nichts fällt aus, denn er wurde noch nie verwendet.',
    keep: 'Ihre anderen Schlüssel und verbundenen Apps bleiben, wie sie sind.',
    action: 'Schlüssel widerrufen',
  },
  secret: {
    created: (name) => `„${name}“ wurde erstellt`,
    rotated: (name) => `„${name}“ wurde erneuert`,
    once: 'Kopieren Sie den Schlüssel jetzt. Er wird nur dieses eine Mal angezeigt.',
    secret: 'Geheimer Schlüssel',
    try: 'Ausprobieren',
    tryLabel: 'Befehl, der den Schlüssel verwendet',
    done: 'Ich habe ihn kopiert',
  },
  failed: {
    create: 'Der Schlüssel wurde nicht erstellt',
    rename: 'Der Name wurde nicht geändert',
    rotate: (name) => `„${name}“ wurde nicht erneuert`,
    revoke: (name) => `„${name}“ wurde nicht widerrufen`,
  },
  revoked: (name) => `„${name}“ wurde widerrufen`,
  revokedText: 'Anfragen damit werden ab sofort abgelehnt.',
};

export const NEW_API_KEY: typeof english.NEW_API_KEY = {
  title: 'API-Schlüssel erstellen',
  name: 'Name',
  nameHint:
    'Wofür er verwendet wird, damit Sie ihn später wiedererkennen: „Budgetskript auf dem Heimserver“.',
  scopes: 'Berechtigungen',
  scopesHint: 'Was der Schlüssel darf. Das lässt sich später nicht ändern.',
  allRead: 'Alle zum Lesen',
  clear: 'Keine',
  read: 'Lesen',
  write: 'Lesen und ändern',
  included: 'In der Berechtigung zum Ändern enthalten.',
  chosen: (count) =>
    count === 0
      ? 'Wählen Sie mindestens eine Berechtigung.'
      : `${counted(count, 'Berechtigung', 'Berechtigungen')} ausgewählt`,
  groups: {
    account: 'Tributary-Konto',
    connections: 'Verbindungen',
    data: 'Finanzdaten',
    categories: 'Kategorien',
    destinations: 'Ziele',
    syncs: 'Syncs',
    rules: 'Regeln',
    events: 'Ereignisse',
    keys: 'API-Schlüssel und Apps',
  },
  limits: 'Einschränkungen',
  addresses: 'Zugelassene Adressen',
  addressesHint:
    'Eine pro Zeile: eine IPv4-Adresse, ein Bereich wie 203.0.113.0/24 oder eine IPv6-Adresse. Leer lassen, um jede zuzulassen.',
  expires: 'Läuft ab',
  expiresHint:
    'Der Schlüssel ist bis zum Ende dieses Tages (UTC) gültig. Leer lassen, damit er gilt, bis Sie ihn widerrufen.',
  metadata: 'Metadaten',
  metadataHint: 'Bis zu 50 eigene Paare, eines pro Zeile: Name=Wert. Optional.',
  metadataInvalid: (line) => `„${line}“ hat kein Gleichheitszeichen. Schreiben Sie Name=Wert.`,
};

export const SCOPE_WORDS: typeof english.SCOPE_WORDS = {
  'account:read': 'Vom Tributary-Konto mehr lesen, als `GET /v2/me` jedem Schlüssel zeigt',
  'connections:read':
    'Institute auflisten, Verbindungen, Zustimmungen und die Einträge von Kontoauszugsdateien lesen',
  'connections:write':
    'Banken verbinden und Verbindungsvorgänge lesen; Kontoauszugsdateien hochladen, übernehmen, zurücknehmen und löschen; Verbindungen erneuern, aktualisieren und löschen; angeben, was ein positiver Kontostand bei einem Darlehen oder einer Karte bedeutet',
  'data:read':
    'Konten, Kontostände, Konditionen, Umsätze, Positionen, Trades und Kategorien der Anbieter lesen',
  'categories:read': 'Den Kategorienbaum und gespeicherte Ansichten lesen',
  'categories:write': 'Den Kategorienbaum, die Zuordnung der Codes und gespeicherte Ansichten ändern',
  'destinations:read': 'Ziele lesen und auflisten, was darin ist',
  'destinations:write':
    'Ziele verbinden, erstellen und löschen, ihren Speicherort festlegen, Signaturschlüssel erneuern',
  'syncs:read': 'Syncs, ihre Läufe und Kategoriezuordnungen lesen',
  'syncs:write': 'Syncs erstellen, ändern, starten und löschen, Regelsätze anwenden',
  'rules:read': 'Regelsätze und Regeln lesen',
  'rules:write': 'Regelsätze und Regeln ändern',
  'events:read': 'Ereignisse und Ereignisziele lesen',
  'events:write': 'Ereignisziele ändern, Pings an sie senden und Ereignisse erneut senden',
  'keys:write':
    'API-Schlüssel lesen, erstellen, erneuern und widerrufen; SimpleFIN-Apps verbinden, ändern und widerrufen; Apps trennen',
};
