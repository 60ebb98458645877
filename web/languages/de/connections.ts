import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/connections.ts';

export const CONNECTIONS: typeof english.CONNECTIONS = {
  title: 'Verbindungen',
  link: 'Bank verbinden',
  none: 'Noch keine Bank ist verbunden',
  noneText:
    'Verbinden Sie eine Bank oder einen Broker einmal. Bevor etwas weitergegeben wird, sehen Sie, wer was erhält, und Sie können es jederzeit beenden.',
  actionsOf: (bank) => `Aktionen für ${bank}`,
  reauthorize: 'Zustimmung erneuern',
  refresh: 'Aktualisieren',
  delete: 'Löschen',
  open: 'Details und Zustimmungen',
  accounts: (count) => counted(count, 'Konto', 'Konten'),
  noAccounts: 'Noch kein Konto wurde gemeldet.',
  settling: 'Konten werden abgerufen…',
  refreshed: (ago) => `Aktualisiert ${ago}`,
  neverRefreshed: 'Noch nicht aktualisiert',
  until: (day) => `Zustimmung bis ${day}`,
  endless: 'Unbefristete Zustimmung',
  unavailable: 'Nicht mehr gemeldet',
  linkedTwice: 'Doppelt verbunden',
  countedOnce: 'doppelt verbunden, einmal gezählt',
  notInTotals: 'nicht in Summen',
  status: {
    pending: 'Wird eingerichtet',
    active: 'Verbunden',
    expiring: 'Läuft bald ab',
    expired: 'Zustimmung abgelaufen',
    revoked: 'Gelöscht',
  },
  daysLeft: (days) => (days < 1 ? 'Läuft heute ab' : `Läuft in ${counted(days, 'Tag', 'Tagen')} ab`),
  type: {
    transaction: 'Girokonto',
    savings: 'Sparkonto',
    'credit-card': 'Kreditkarte',
    loan: 'Darlehen',
    investment: 'Depot',
    'term-deposit': 'Festgeld',
    other: 'Sonstiges',
  },
  refreshing: {
    justNow: (bank) => `${bank}: gerade erneut gelesen`,
    recent: (ago, again) => `Aktualisiert ${ago}. Wieder möglich ${again}.`,
    balances: (read, all) =>
      read === all
        ? `${counted(read, 'Kontostand', 'Kontostände')} gelesen.`
        : `${read} von ${counted(all, 'Kontostand', 'Kontoständen')} gelesen.`,
    runs: (runs) =>
      runs === 0
        ? 'Kein aktiver Sync liest diese Bank.'
        : `${counted(runs, 'Sync', 'Syncs')} gestartet. Ein bereits begonnener Lauf wird fortgesetzt.`,
  },
  failed: {
    reauthorize: (bank) => `Die Zustimmung für ${bank} kann derzeit nicht erneuert werden`,
    refresh: (bank) => `${bank} wurde nicht aktualisiert`,
    delete: (bank) => `Die Verbindung mit ${bank} wurde nicht gelöscht`,
  },
  deleting: {
    title: (bank) => `Verbindung mit ${bank} löschen?`,
    does: 'Das kann nicht rückgängig gemacht werden. Die Folgen:',
    accounts: (count) => `${counted(count, 'Konto wird', 'Konten werden')} aus Tributary entfernt.`,
    stops: (names) =>
      names.length === 1
        ? `Dieser Sync wird angehalten: ${names.join(', ')}.`
        : `Diese Syncs werden angehalten: ${names.join(', ')}.`,
    looking: 'Syncs, die sie lesen, werden angehalten; es wird ermittelt, welche…',
    unknown: 'Jeder Sync, der sie liest, wird angehalten.',
    syncsFailed: 'Welche Syncs sie lesen, konnte nicht ermittelt werden',
    stays: 'Was bereits an Ihre Ziele übertragen wurde, bleibt dort.',
  },
};

export const LINKED: typeof english.LINKED = {
  bank: 'Bank',
  completed: (what) => `${what} verbunden`,
  completedText: 'Die Konten erscheinen unten, sobald sie abgerufen sind.',
  twice: 'Diese Konten sind bereits verbunden',
  twiceText:
    'Eine andere Verbindung liefert sie auch. In Summen zählen sie einmal; löschen Sie eine der beiden, wenn Sie nicht beide brauchen.',
  failed: (what) => `${what} nicht verbunden`,
  unknown: 'Es wurde nichts weitergegeben. Sie können jederzeit neu beginnen.',
  reasons: {
    consent_denied: 'Die Zustimmung wurde bei der Bank abgelehnt. Es wurde nichts weitergegeben.',
    cancelled: 'Sie haben abgebrochen. Es wurde nichts weitergegeben.',
    authentication_failed: 'Die Bank konnte Sie nicht anmelden. Es wurde nichts weitergegeben.',
    timeout: 'Die Bank hat zu lange nicht geantwortet. Versuchen Sie es in einigen Minuten erneut.',
    institution_error: 'Die Bank hat einen eigenen Fehler gemeldet. Versuchen Sie es später erneut.',
    not_eligible: 'Die Bank bietet das für Ihre Konten nicht an.',
    session_expired: 'Das Verbinden hat länger als 30 Minuten gedauert. Beginnen Sie neu.',
    connection_limit:
      'Ihr Tarif lässt keine weitere Verbindung zu. Löschen Sie eine oder wechseln Sie den Tarif.',
    connection_deleted: 'Die Verbindung wurde in der Zwischenzeit gelöscht.',
    too_many_attempts: 'Die Seite des anderen Dienstes wurde zu oft geöffnet. Beginnen Sie hier neu.',
    institution_mismatch:
      'Sie haben sich bei einer anderen Bank angemeldet als der, deren Zustimmung erneuert werden sollte.',
  },
};

export const OTHER_BANK: typeof english.OTHER_BANK = {
  title: (linked, chosen) => `Verbunden wurde ${linked}, nicht ${chosen}`,
  text: (chosen, through) =>
    `Sie haben ${chosen} gewählt, aber über ${through} wurde eine andere Bank ausgewählt. Verbinden Sie ${chosen} zusätzlich oder lassen Sie es dabei.`,
  link: (chosen) => `${chosen} verbinden`,
  keep: 'Dabei lassen',
  failed: 'Das hat nicht geklappt',
};

export const NEW_CONNECTION: typeof english.NEW_CONNECTION = {
  title: 'Bank verbinden',
  intro: 'Wählen Sie Ihre Bank oder Ihren Broker. Bevor etwas weitergegeben wird, sehen Sie, wer was erhält.',
  search: 'Nach Namen suchen',
  ways: (count) => `${count} Wege zum Verbinden`,
  choose: (bank) => `Wie ${bank} verbunden wird`,
  called: (way, bank) => `${way} (${bank})`,
  outage: 'Derzeit gestört',
  closed: 'Nicht verfügbar',
  results: (count) => counted(count, 'Institut', 'Institute'),
  none: 'Kein Institut gefunden',
  noneText: (text) => `Nichts heißt „${text}“. Versuchen Sie es mit einem Teil des Namens.`,
  nothing: 'Kein Anbieter ist eingerichtet, daher lässt sich noch nichts verbinden.',
  failed: (bank) => `${bank} kann derzeit nicht geöffnet werden`,
};

export const CONNECTION: typeof english.CONNECTION = {
  accounts: 'Konten',
  consents: 'Zustimmungen',
  consentsAside: 'Alle bisherigen Zustimmungen dieser Verbindung',
  noConsents: 'Keine Zustimmung ist verzeichnet.',
  ends: 'Endet',
  ended: 'Beendet',
  shares: 'Umfasst',
  status: 'Status',
  reason: 'Grund',
  never: 'Unbefristet',
  consentStatus: {
    active: 'Aktiv',
    expiring: 'Läuft bald ab',
    expired: 'Abgelaufen',
    withdrawn: 'Widerrufen',
  },
};
