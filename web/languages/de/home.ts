import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/home.ts';

export const HOME: typeof english.HOME = {
  title: 'Start',
  balances: 'Kontostände',
  observed: (ago) => `Stand: ${ago}`,
  net: (currency) => `Kontostände in ${currency}, abzüglich Schulden`,
  noBalance: 'Kein Kontostand',
  investments: 'Anlagen',
  investmentsText: 'Nach den aktuellen Kursen der Broker; Guthaben bei Brokern ist nicht mitgerechnet.',
  investmentsLocked:
    'Ihr Tarif enthält keine Depotdaten, daher sind Ihre Anlagen bei Brokern hier nicht mitgerechnet.',
  notRead: (count) =>
    `${counted(count, 'weiteres Konto wird', 'weitere Konten werden')} hier nicht gelesen; siehe Positionen.`,
  holdings: 'Positionen ansehen',
  unavailable: 'Derzeit nicht lesbar',
  lacks: (accounts) => `Ohne ${listText(accounts)}: derzeit nicht lesbar.`,
  none: 'Willkommen bei Tributary',
  noneText:
    'Verbinden Sie eine Bank, um ihre Kontostände hier zu sehen und ihre Umsätze dorthin zu kopieren, wo Sie damit arbeiten.',
  begin: 'So funktioniert es',
  allUnavailable: 'Gerade konnte keines Ihrer Konten gelesen werden.',
  attention: 'Handlungsbedarf',
  attentionCount: (count) => counted(count, 'Punkt', 'Punkte'),
  showAll: (count) => `Alle ${count} anzeigen`,
  showFewer: 'Weniger anzeigen',
  sign: {
    notCounted: 'Noch nicht mitgerechnet',
    question:
      'Ist das Ihre Schuld oder Ihr Guthaben? Ihre Bank gibt das nicht an; bis Sie es tun, wird der Betrag nicht mitgerechnet.',
    owed: 'Das schulde ich',
    in_credit: 'Das ist Guthaben',
    of: (answer, account) => `${answer}: ${account}`,
    failed: 'Die Antwort wurde nicht gespeichert',
  },
  runs: 'Letzte Läufe',
  noRuns: 'Noch kein Sync ist gelaufen.',
  createSync: 'Kopieren Sie Ihre Konten dorthin, wo Sie damit arbeiten',
  run: {
    queued: 'Wartet',
    running: 'Läuft',
    succeeded: 'Erfolgreich',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  delivered: (added, updated) => {
    if (added === 0 && updated === 0) return 'Nichts Neues';
    const both = `${counted(added, 'Zeile', 'Zeilen')} hinzugefügt`;
    return updated === 0 ? both : `${both}, ${counted(updated, 'Zeile', 'Zeilen')} aktualisiert`;
  },
  runRejected: (count) => `${counted(count, 'Zeile', 'Zeilen')} abgelehnt`,
  connection: {
    expiring: (days) =>
      days < 1 ? 'Die Zustimmung endet heute' : `Die Zustimmung endet in ${counted(days, 'Tag', 'Tagen')}`,
    expired: 'Die Zustimmung ist abgelaufen; es wird nichts mehr gelesen',
    invalidated: 'Der erteilte Zugriff funktioniert nicht mehr',
  },
  sync: {
    destination_auth_expired: 'Das Ziel akzeptiert die Anmeldung nicht mehr',
    destination_resource_missing: 'Der Speicherort ist am Ziel nicht mehr vorhanden',
    destination_disabled: 'Das Ziel wurde nach zu vielen Fehlern deaktiviert',
    connection_lost: 'Eine Bank, die er liest, wurde gelöscht',
    consent_expired: 'Die Zustimmung für eine Bank, die er liest, ist abgelaufen',
    account_unavailable: 'Die Bank meldet ein Konto nicht mehr, das er liest',
    data_invalid: 'Die Bank hat etwas gesendet, das nicht lesbar ist',
    run_failed: 'Der letzte Lauf ist fehlgeschlagen',
  },
  linkedTwice: (name, more) =>
    more === 0
      ? `${name} ist doppelt verbunden`
      : `${name} und ${counted(more, 'weiteres Konto', 'weitere Konten')} sind doppelt verbunden`,
  linkedTwiceText:
    'In Summen zählt das nur einmal. Löschen Sie diese zweite Verbindung, wenn Sie nicht beide brauchen.',
  rejected: (count) =>
    count === 1
      ? '1 Zeile des letzten Laufs konnte nicht übertragen werden'
      : `${count} Zeilen des letzten Laufs konnten nicht übertragen werden`,
  unread: (count) =>
    counted(
      count,
      'Zeile konnte nicht gelesen werden und fehlt in den Zahlen',
      'Zeilen konnten nicht gelesen werden und fehlen in den Zahlen',
    ),
  seeRows: 'Grund ansehen',
  destination: {
    incomplete: 'Noch nicht eingerichtet',
    reauth_required: 'Das Ziel akzeptiert die Anmeldung nicht mehr; es wird nichts dorthin geschrieben',
    disabled: 'Nach zu vielen fehlgeschlagenen Zustellungen deaktiviert; es wird nichts gesendet',
  },
  events: {
    failing: 'Ereignisse werden nicht mehr gesendet: Die Zustellungen sind tagelang fehlgeschlagen',
    gone: 'Ereignisse werden nicht mehr gesendet: Der Empfänger möchte keine mehr',
  },
  runAgain: 'Erneut starten',
  open: 'Öffnen',
  finish: 'Fertig einrichten',
  connect: 'Erneut verbinden',
  enable: 'Wieder aktivieren',
  notConnected: (name) => `„${name}“ kann derzeit nicht verbunden werden`,
  notEnabled: (name) => `„${name}“ wurde nicht aktiviert`,
  failed: (name) => `„${name}“ wurde nicht gestartet`,
};
