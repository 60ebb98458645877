import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/events.ts';

export const EVENTS: typeof english.EVENTS = {
  title: 'Ereignisse',
  intro:
    'Was in den letzten 30 Tagen geschehen ist: Verbindungen, Zustimmungen, Läufe, Schlüssel. Ereignisse enthalten keine Finanzdaten. Ereignisziele erhalten sie als signierte Anfragen.',
  latest: 'Letzte 30 Tage',
  type: 'Anzeigen',
  all: 'Alle Ereignisse',
  family: (resource) => `Alles rund um ${resource}`,
  none: 'Noch keine Ereignisse',
  noneText:
    'Ereignisse erscheinen hier, wenn eine Bank verbunden wird, ein Sync läuft oder etwas Ihre Aufmerksamkeit braucht.',
  unmatched: 'Keine Ereignisse dieser Art',
  unmatchedText: 'In den letzten 30 Tagen gab es keine. Wählen Sie eine andere Art oder alle.',
  live: 'Live',
  resources: {
    connection: 'Verbindungen',
    consent: 'Zustimmungen',
    sync_run: 'Läufe',
    destination: 'Ziele',
    sync: 'Syncs',
    event_destination: 'Ereignisziele',
    api_key: 'API-Schlüssel',
  },
  when: 'Was geschehen ist',
  about: 'Betrifft',
  at: 'Zeitpunkt',
  details: 'Details',
  payload: 'Inhalt',
  payloadAside: 'Genau so wird er zugestellt',
  payloadText: 'Der Inhalt des Ereignisses',
  deliveries: 'Zustellungen',
  deliveriesAside: 'Eine für jedes Ereignisziel, an das es gesendet wurde',
  noDeliveries: 'Kein Ereignisziel hatte es abonniert, als es geschah.',
  attempts: (count) => counted(count, 'Versuch', 'Versuche'),
  next: (ago) => `nächster Versuch ${ago}`,
  deletedDestination: 'Gelöschtes Ereignisziel',
  status: { pending: 'Wartet', succeeded: 'Zugestellt', failed: 'Fehlgeschlagen' },
  attempt: (moment, ms) => `${moment}, ${numberText(ms)} ms`,
  answered: (status) => `Antwort ${status}`,
  failures: {
    timeout: 'Keine rechtzeitige Antwort',
    connection: 'Die Verbindung brach ab',
    refused_address: 'Die Adresse ist privat, daher wurde nichts gesendet',
    answer_too_large: 'Die Antwort war zu groß',
  },
  answerBegan: 'Anfang der Antwort',
  redeliver: 'Erneut senden',
  redelivered: 'Das Ereignis wird erneut gesendet',
  redeliveredText:
    'Jedes aktive Ereignisziel, das diese Art abonniert hat, erhält es noch einmal, mit derselben ID.',
  redeliverFailed: 'Das Ereignis wurde nicht erneut gesendet',
};

export const EVENT_DESTINATIONS: typeof english.EVENT_DESTINATIONS = {
  title: 'Ereignisziele',
  intro:
    'Ihre Adressen, die Ereignisse als signierte Anfragen erhalten. Antworten Sie innerhalb von 10 Sekunden mit 2xx; alles andere wird erneut gesendet, bis zu sieben Mal.',
  all: 'Alle Ereignisziele',
  create: 'Ereignisziel hinzufügen',
  none: 'Noch kein Ereignisziel',
  noneText:
    'Fügen Sie eine eigene Adresse hinzu. Sie erhält eine Anfrage, wenn ein Lauf fehlschlägt oder eine Zustimmung endet.',
  status: { enabled: 'Aktiviert', disabled: 'Deaktiviert' },
  failing: (ago) => `Erster Fehler ${ago}`,
  reasons: {
    owner: 'Ein Mitglied dieses Tributary-Kontos hat es deaktiviert.',
    failing:
      'Die Zustellungen sind 5 Tage lang alle fehlgeschlagen. Beheben Sie das Problem beim Empfänger und aktivieren Sie es dann: Was gewartet hat, wird gesendet.',
    gone: 'Der Empfänger hat mit 410 geantwortet, er möchte also keine Ereignisse mehr.',
  },
  everything: 'Alles',
  kinds: (count) => counted(count, 'Abonnement', 'Abonnements'),
  facts: {
    url: 'Adresse',
    status: 'Status',
    failing: 'Fehlerhaft seit',
    created: 'Erstellt',
    metadata: 'Metadaten',
  },
  details: 'Details',
  subscriptions: 'Abonniert',
  edit: 'Bearbeiten',
  enable: 'Aktivieren',
  disable: 'Deaktivieren',
  ping: 'Ping senden',
  rotate: 'Schlüssel erneuern',
  delete: 'Löschen',
  enabled: (name) => `„${name}“ ist aktiviert`,
  enabledText: 'Was gewartet hat, während es deaktiviert war, wird jetzt gesendet.',
  disabled: (name) => `„${name}“ ist deaktiviert`,
  disabledText:
    'Was gerade gesendet werden sollte, wartet. Ereignisse, die jetzt geschehen, werden auch später nicht dorthin gesendet.',
  saved: (name) => `„${name}“ ist gespeichert`,
  savedText: 'Eine neue Adresse gilt auch für das, was auf das Senden wartet.',
  pinging: 'Warten auf eine Antwort auf den Ping…',
  pinged: 'Der Ping ist angekommen',
  pingedText: (status, ms) =>
    status === null
      ? `Der Empfänger hat innerhalb von ${ms} ms geantwortet.`
      : `Der Empfänger hat innerhalb von ${ms} ms mit ${status} geantwortet.`,
  pingFailed: 'Der Ping ist nicht angekommen',
  pingSlow: 'Noch keine Antwort auf den Ping',
  pingSlowText: 'Er wird automatisch wiederholt. Öffnen Sie das Ereignis, um das Ergebnis zu sehen.',
  pingEvent: 'Ereignis öffnen',
  failed: {
    create: 'Das Ereignisziel wurde nicht hinzugefügt',
    save: 'Die Änderungen wurden nicht gespeichert',
    switch: (name) => `„${name}“ wurde nicht geändert`,
    ping: 'Der Ping wurde nicht gesendet',
    rotate: 'Der Schlüssel wurde nicht ersetzt',
    delete: (name) => `„${name}“ wurde nicht gelöscht`,
  },
  secret: {
    created: (name) => `„${name}“ wurde hinzugefügt`,
    rotated: 'Der Schlüssel wurde ersetzt',
    once: 'Kopieren Sie den Signaturschlüssel jetzt. Er wird nur dieses eine Mal angezeigt. An ihm erkennt Ihr Empfänger, dass eine Anfrage von uns stammt.',
    rotatedText:
      'Kopieren Sie den neuen Schlüssel jetzt. Er wird nur dieses eine Mal angezeigt. 24 Stunden lang werden Anfragen mit dem alten und dem neuen signiert, sodass Sie Ihren Empfänger umstellen können, ohne ein Ereignis zu verlieren.',
    label: 'Signaturschlüssel',
    done: 'Ich habe ihn kopiert',
    guide: 'Wie Sie eine Anfrage prüfen, in fünf Programmiersprachen',
  },
  rotating: {
    title: (name) => `Schlüssel von „${name}“ erneuern?`,
    text: 'Sie erhalten einen neuen Signaturschlüssel, der nur einmal angezeigt wird. 24 Stunden lang tragen Anfragen die Signaturen beider Schlüssel, danach nur noch die des neuen.',
  },
  disabling: {
    title: (name) => `„${name}“ deaktivieren?`,
    text: 'Es wird nichts dorthin gesendet, bis Sie es wieder aktivieren. Was gerade gesendet werden sollte, wartet; was in der Zwischenzeit geschieht, wird nicht gesendet, bleibt aber 30 Tage in der Liste der Ereignisse.',
  },
  deleting: {
    title: (name) => `„${name}“ löschen?`,
    text: 'Das kann nicht rückgängig gemacht werden. Es wird nichts mehr dorthin gesendet, und was wartet, wird verworfen. Der Signaturschlüssel wird gelöscht.',
  },
  latest: 'Letzte Ereignisse',
  latestAside: 'Öffnen Sie eines, um seine Zustellung zu sehen',
};

export const EVENT_DESTINATION_FORM: typeof english.EVENT_DESTINATION_FORM = {
  title: 'Ereignisziel hinzufügen',
  name: 'Name',
  nameHint: 'Damit Sie es später wiedererkennen.',
  url: 'Adresse',
  urlHint: 'HTTPS an Port 443, aus dem Internet erreichbar.',
  urlExample: 'https://',
  events: 'Ereignisse',
  eventsHint: 'Ganze Gruppen schließen Arten ein, die später hinzukommen.',
  everything: 'Alles, was geschieht',
  family: (resource) => `Alles rund um ${resource}`,
  choose: 'Wählen Sie mindestens eines aus.',
  covered: 'In der Gruppe enthalten.',
};
