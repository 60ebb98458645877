import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-runs.ts';

const rows = (count: number) => counted(count, 'Zeile', 'Zeilen');

/** What a run delivered, without what it delivered nothing of. */
function deliveredWords(added: number, updated: number): string {
  return [
    ...(added === 0 ? [] : [`${rows(added)} hinzugefügt`]),
    ...(updated === 0 ? [] : [`${rows(updated)} aktualisiert`]),
  ].join(', ');
}

export const SYNC_RUN: typeof english.SYNC_RUN = {
  unknownFailure: (code) => `Konnte nicht gelesen werden (${code}).`,
  title: (name) => `Lauf von „${name}“`,
  plainTitle: 'Lauf',
  back: 'Syncs',
  status: {
    queued: 'Wartet',
    running: 'Läuft',
    succeeded: 'Erfolgreich',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  trigger: {
    schedule: 'nach Zeitplan',
    api: 'über die API',
    dashboard: 'hier gestartet',
    webhook: 'von der Bank angestoßen',
    resync: 'alles neu senden',
  },
  started: 'Gestartet',
  ended: 'Beendet',
  took: 'Dauer',
  by: 'Auslöser',
  days: 'Tage',
  range: (from, to) => `${from} bis ${to}`,
  queuedFor: 'Wartet seit',
  live: 'Live',
  polling: 'Wird alle paar Sekunden aktualisiert',
  counts: 'Zeilen',
  count: {
    processed: 'Gelesen',
    added: 'Hinzugefügt',
    updated: 'Aktualisiert',
    rejected: 'Abgelehnt',
    skipped_by_rules: 'Durch Regeln übersprungen',
  },
  rejectedText:
    'Abgelehnte Zeilen konnten von der Bank nicht gelesen werden, oder das Ziel kann sie so nicht aufnehmen. Sie werden erneut versucht, wenn sie sich ändern.',
  accounts: 'Konten',
  account: {
    waiting: 'Wartet',
    succeeded: 'Übertragen',
    failed: 'Fehlgeschlagen',
    incomplete: 'Unvollständig',
  },
  incompleteText:
    'Noch nicht vollständig übertragen: Der Lauf endete vorher, oder die Bank lädt noch den Verlauf. Der nächste Lauf macht weiter.',
  unchanged: 'Nichts Neues',
  rejected: (count) => `${rows(count)} abgelehnt`,
  othersUpToDate: 'Alles andere war bereits aktuell.',
  line: deliveredWords,
  read: (count) => `${rows(count)} gelesen`,
  progress: {
    queued:
      'Der Lauf wartet, bis er an der Reihe ist. Sie können diese Seite verlassen; der Lauf geht weiter.',
    running:
      'Zeilen werden von der Bank gelesen und übertragen. Sie können diese Seite verlassen; der Lauf geht weiter.',
  },
  cancel: 'Lauf abbrechen',
  cancelFailed: 'Der Lauf wurde nicht abgebrochen',
  cancelled:
    'Dieser Lauf wurde abgebrochen. Was er bis dahin übertragen hat, zählt; der nächste Lauf macht dort weiter.',
  succeeded: (added, updated) =>
    added + updated === 0 ? 'Alles war bereits aktuell.' : `${deliveredWords(added, updated)}.`,
  rows: (where) => `${where} öffnen`,
  deliveries: 'Zustellungen dieses Webhooks',
  destination: 'Zum Ziel',
  sync: 'Zum Sync',
  runAgain: 'Erneut starten',
  noLines: 'Noch kein Konto wurde gelesen.',
};

export const RUN_FAILURES_TEXT: typeof english.RUN_FAILURES_TEXT = {
  destination_auth_failed: {
    title: 'Das Ziel akzeptiert die Anmeldung nicht mehr',
    text: 'Die Erlaubnis wurde dort widerrufen oder ist abgelaufen. Verbinden Sie das Ziel erneut; der nächste Lauf überträgt, was wartet.',
  },
  destination_resource_missing: {
    title: 'Der Speicherort des Syncs ist nicht mehr vorhanden',
    text: 'Die Tabelle, das Tabellenblatt oder das Budget wurde gelöscht, umbenannt oder ist nicht mehr freigegeben. Stellen Sie es dort wieder her oder wählen Sie einen anderen Speicherort, und starten Sie den Sync dann erneut.',
  },
  rate_limited: {
    title: 'Das Ziel oder die Bank ließ keine weiteren Anfragen zu',
    text: 'Der Lauf wurde angehalten und wird automatisch wiederholt. Was übertragen ist, bleibt übertragen.',
  },
  timeout: {
    title: 'Der Lauf dauerte zu lange',
    text: 'Er wird automatisch wiederholt und macht dort weiter, wo er aufgehört hat. Wenn es wieder geschieht, kopieren Sie weniger Konten oder wählen Sie einen späteren ersten Tag.',
  },
  superseded: {
    title: 'Ein anderer Lauf, der alles neu sendet, trat an seine Stelle',
    text: 'Jemand hat „Alles neu senden“ gewählt; damit endete dieser Lauf. Sie müssen nichts tun.',
  },
  run_failed: {
    title: 'Der Lauf ist fehlgeschlagen',
    text: 'Eine Bank konnte nicht gelesen werden, oder das Ziel hat die Zeilen nicht angenommen. Näheres steht unten bei den Konten. Er wird automatisch wiederholt.',
  },
};

export const ACCOUNT_FAILURES: typeof english.ACCOUNT_FAILURES = {
  upstream_auth_failed:
    'Die Bank akzeptiert die Anmeldung nicht mehr, oder die Zustimmung ist abgelaufen. Erneuern Sie die Verbindung.',
  upstream_rate_limited:
    'Die Bank lässt vorerst keine weiteren Anfragen zu. Der Versuch wird automatisch wiederholt.',
  upstream_timeout: 'Die Bank hat zu lange nicht geantwortet. Der Versuch wird automatisch wiederholt.',
  upstream_unavailable: 'Die Bank ist derzeit nicht erreichbar. Der Versuch wird automatisch wiederholt.',
  upstream_failed: 'Die Bank hat einen eigenen Fehler gemeldet. Der Versuch wird automatisch wiederholt.',
  upstream_bad_request:
    'Die Bank hat die Anfrage abgelehnt. Wenn es wieder geschieht, sehen Sie sich die Verbindung an.',
  provider_wait: 'Die Bank bat, vor dem nächsten Lesen zu warten. Der Versuch wird automatisch wiederholt.',
  gateway_unavailable:
    'Die Verbindung zur Bank war nicht verfügbar. Der Versuch wird automatisch wiederholt.',
  account_unavailable:
    'Die Bank meldet dieses Konto nicht mehr. Nehmen Sie es aus dem Sync oder geben Sie es bei der Bank wieder frei.',
  professional_required: 'Ihr Tarif enthält keine Positionen und Trades.',
  resource_missing: 'Das Konto ist hier nicht mehr vorhanden. Nehmen Sie es aus dem Sync.',
  internal_error: 'Im Dienst ist etwas Unerwartetes geschehen. Der Versuch wird automatisch wiederholt.',
};

const FIELDS: Readonly<Record<SetAsideField, string>> = {
  id: 'ID',
  account: 'Konto',
  amount: 'Betrag',
  currency: 'Währung',
  date: 'Datum',
  trade_date: 'Datum',
  symbol: 'Wertpapier',
  quantity: 'Stückzahl',
  price: 'Kurs',
  total_amount: 'Betrag',
  row: 'Zeile',
};

const REASONS: Readonly<Record<SetAsideReason, (what: string) => string>> = {
  missing: (what) => `Von der Bank nicht gesendet: ${what}.`,
  unreadable: (what) => `Von der Bank gesendet, aber nicht lesbar: ${what}.`,
  out_of_range: (what) => `Von der Bank gesendet, aber außerhalb des zulässigen Bereichs: ${what}.`,
  too_long: (what) => `Von der Bank gesendet, aber zu lang: ${what}.`,
  contradictory: (what) => `Von der Bank mit zwei verschiedenen Werten gesendet: ${what}.`,
  other_account: () => 'Die Zeile nennt ein anderes Konto.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'Der Betrag hat mehr Stellen oder Nachkommastellen, als das Ziel annimmt.',
  other_currency: 'Die Währung ist nicht die des Ziels.',
  day_not_taken: 'Das Ziel nimmt das Datum nicht an.',
  too_large: 'Die Zeile ist größer, als das Ziel annimmt.',
  refused: 'Das Ziel hat die Zeile abgelehnt.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: string) => string>(Object.entries(REASONS));
const names = new Map<string, string>(Object.entries(FIELDS));

export const REJECTED_ROWS: typeof english.REJECTED_ROWS = {
  title: 'Abgelehnte Zeilen',
  dismiss: 'Nicht mehr auf der Startseite anzeigen',
  dismissed: 'Die Startseite zeigt diese Zeilen nicht mehr an',
  dismissedText: 'In diesem Browser, und bis ein Lauf andere Zeilen ablehnt.',
  noDay: 'Kein Tag',
  noId: 'Keine ID',
  why: ({ origin, field, reason }) => {
    const what = names.get(field ?? 'row') ?? FIELDS.row;
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(what);
  },
  more: (count) => `${counted(count, 'weitere Zeile ist', 'weitere Zeilen sind')} hier nicht aufgeführt.`,
};
