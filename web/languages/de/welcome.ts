import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/welcome.ts';

export const WELCOME: typeof english.WELCOME = {
  tour: {
    title: 'Machen Sie die Tour',
    intro:
      'Diese Installation läuft mit einer Sandbox: simulierte Banken und eine simulierte Tabelle, ganz ohne Anmeldung anderswo. In vier Schritten sehen Sie den ganzen Weg, von einer Bank bis zu Zeilen und Diagrammen, mit denen Sie arbeiten können.',
  },
  guide: {
    title: 'Erste Schritte',
    intro: 'Drei Schritte führen von Ihrer Bank zu Zeilen an dem Ort, an dem Sie damit arbeiten.',
  },
  leave: 'Überspringen',
  done: 'Erledigt',
  linked: (bank, accounts) => `${bank}, ${counted(accounts, 'Konto', 'Konten')}`,
  listing: (bank) => `${bank} ist verbunden. Die Konten werden abgerufen…`,
  copies: (sync) => `Der Sync „${sync}“ kopiert neue Umsätze jetzt automatisch.`,
  sandboxBank: {
    title: 'Sandbox-Bank verbinden',
    text: 'Sie sehen, wer was erhält, melden sich dann bei der simulierten Bank als eine ihrer erfundenen Personen an und kommen hierher zurück.',
    action: (bank) => `${bank} verbinden`,
    other: 'Andere Bank wählen',
  },
  bank: {
    title: 'Bank verbinden',
    text: 'Bevor etwas weitergegeben wird, sehen Sie, wer was erhält, und Sie können es jederzeit beenden.',
    action: 'Bank verbinden',
    failed: 'Die Bank kann derzeit nicht geöffnet werden',
  },
  spreadsheet: {
    title: 'Umsätze in eine Tabelle kopieren',
    text: 'Verbinden Sie das simulierte Google Sheets und kommen Sie hierher zurück. Ein Google-Konto ist nicht nötig.',
    connect: 'Sandbox-Tabellen verbinden',
    connectFailed: 'Die Tabellen können derzeit nicht verbunden werden',
    connected:
      'Google Sheets ist verbunden. Als Nächstes legt Tributary dort eine Tabelle an und kopiert die Umsätze.',
    copy: 'Tabelle anlegen und kopieren',
    copyFailed: 'Die Umsätze werden nicht kopiert',
    name: 'Tributary-Umsätze',
    syncName: (bank) => `${bank} in eine Tabelle`,
  },
  rows: {
    title: 'Zeilen öffnen',
    text: 'Sobald der erste Lauf fertig ist, öffnen Sie die Tabelle von hier aus.',
    waiting: 'Der erste Lauf startet…',
    reading: (read, added) =>
      `Bisher ${counted(read, 'Zeile', 'Zeilen')} gelesen, ${numberText(added)} kopiert…`,
    copied: (added) => `${counted(added, 'Zeile', 'Zeilen')} kopiert.`,
    failed: 'Der Lauf war nicht erfolgreich.',
    again: 'Erneut starten',
    open: 'Tabelle öffnen',
  },
  destination: {
    title: 'Ziel hinzufügen',
    text: 'Eine Tabelle, eine Datenbank, eine Budget-App oder ein eigenes Programm: wo auch immer Sie mit Ihren Umsätzen arbeiten.',
    action: 'Ziel hinzufügen',
  },
  sync: {
    title: 'Sync erstellen',
    text: 'Er kopiert die Konten, die Sie auswählen, an das Ziel, jetzt und danach nach Zeitplan.',
    action: 'Sync erstellen',
  },
  charts: {
    title: 'Sehen, wohin das Geld geht',
    text: 'Die Startseite zeigt dieselben Konten und Umsätze als Diagramme: was vorhanden ist und wofür wie viel ausgegeben wurde.',
    action: 'Kontostände und Ausgaben ansehen',
  },
  notConnected: {
    failed: 'Die Tabellen wurden nicht verbunden',
    unknown: 'Dort wurde nichts erlaubt. Sie können jederzeit neu beginnen.',
  },
  finished:
    'Das war der ganze Weg. Kontostände, Ausgaben und den Zustand jedes Syncs finden Sie auf der Startseite.',
  home: 'Zur Startseite',
};
