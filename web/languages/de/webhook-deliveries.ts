import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/webhook-deliveries.ts';

export const DELIVERIES: typeof english.DELIVERIES = {
  title: 'Zustellungen',
  aside: 'Die letzten Ereignisse, ohne den Inhalt der Zeilen',
  none: 'Noch wurde nichts gesendet. Ereignisse erscheinen hier, sobald ein Sync gelaufen ist.',
  noneOfStatus: 'Keine Zustellung in der Liste endete so.',
  filter: 'Zustellungen anzeigen',
  filters: { all: 'Alle', failed: 'Fehlgeschlagen', succeeded: 'Zugestellt' },
  status: { succeeded: 'Zugestellt', failed: 'Fehlgeschlagen' },
  types: { 'transactions.synced': 'Umsätze', 'trades.synced': 'Trades' },
  rows: (added, updated, removed) =>
    [
      counted(added, 'neue Zeile', 'neue Zeilen'),
      ...(updated === 0 ? [] : [`${updated} aktualisiert`]),
      ...(removed === 0 ? [] : [`${removed} entfernt`]),
    ].join(', '),
  attempts: (count) => counted(count, 'Versuch', 'Versuche'),
  duration: (ms) => `${ms} ms`,
  show: 'Versuche anzeigen',
  event: 'Ereignis-ID',
  run: 'Lauf',
  attempt: (number) => `Versuch ${number}`,
  answered: (code) => `HTTP ${code}`,
  failures: {
    timeout: 'Keine rechtzeitige Antwort',
    connection: 'Keine Verbindung',
    refused_address: 'Adresse nicht zugelassen',
    answer_too_large: 'Antwort zu groß',
  },
  answer: 'Die Antwort',
  latestAttempts: (count) => `Die letzten ${count} Versuche`,
  again: 'Erneut senden',
  againOf: (event) => `Erneut senden: Ereignis ${event}`,
  resend: {
    title: 'Dieses Ereignis erneut senden?',
    text: 'Tributary liest die Zeilen in ihrem jetzigen Stand von der Bank, wendet Ihre Regeln und Kategorien an und sendet sie in einem neuen Ereignis. Alle Zeilen stehen in data.new.',
    upsert:
      'Ihr Empfänger sollte Zeilen anhand ihrer ID speichern, damit keine doppelt vorkommt. Für spätere Läufe ändert sich nichts.',
    action: 'Erneut senden',
    failed: 'Das Ereignis wurde nicht erneut gesendet',
    working:
      'Die Bank wird gelesen und das Ereignis gesendet. Sie können diese Seite offen lassen; das kann einige Minuten dauern.',
  },
  window: {
    open: 'Tage erneut senden',
    title: 'Einen Zeitraum erneut senden',
    text: 'Alles, was für diese Tage übertragen wurde, wird von der Bank gelesen und erneut gesendet, in neuen Ereignissen. Beide Tage sind eingeschlossen.',
    sync: 'Sync',
    from: 'Erster Tag',
    to: 'Letzter Tag',
    order: 'Der erste Tag liegt vor dem letzten.',
    missing: 'Wählen Sie einen Tag.',
    action: 'Erneut senden',
    failed: 'Die Tage wurden nicht erneut gesendet',
  },
  sent: {
    title: 'Erneut gesendet',
    partial: 'Teilweise erneut gesendet',
    text: (sent, deliveries) =>
      `Ihr Empfänger hat ${counted(sent, 'Zeile', 'Zeilen')} in ${counted(deliveries, 'Ereignis', 'Ereignissen')} angenommen.`,
    missing: (count) =>
      ` ${counted(count, 'Zeile ist', 'Zeilen sind')} bei der Bank nicht mehr vorhanden oder ${count === 1 ? 'wird' : 'werden'} von einer Regel ausgelassen.`,
    undelivered: (count) => ` Der nächste Lauf sendet ${counted(count, 'weitere Zeile', 'weitere Zeilen')}.`,
    failure: (code) => ` Vorzeitig beendet: ${code}.`,
  },
};
