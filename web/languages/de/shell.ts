import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/shell.ts';

export const SHELL: typeof english.SHELL = {
  product: 'Tributary',
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  home: 'Start',
  needsYou: (count) => counted(count, 'Punkt mit Handlungsbedarf', 'Punkte mit Handlungsbedarf'),
  connections: 'Verbindungen',
  transactions: 'Umsätze',
  syncs: 'Syncs',
  categories: 'Kategorien',
  destinations: 'Ziele',
  holdings: 'Positionen',
  developer: 'Für Entwickler',
  more: 'Mehr',
  account: 'Ihr Konto',
  plan: { saver: 'Saver', developer: 'Developer', professional: 'Professional' },
  trial: 'Testphase',
  settings: 'Einstellungen',
  security: 'Sicherheit und Sitzungen',
  guides: 'Anleitungen',
  reference: 'API-Referenz',
  signOut: 'Abmelden',
  language: 'Sprache',
  theme: 'Design',
  themes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
  missing: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es nichts.',
    action: 'Zur Startseite',
    documentation: 'Dokumentation durchsuchen',
  },
  offline:
    'Sie sind offline. Die Anzeige kann veraltet sein, und Sie können nichts ändern, bis das Netz wieder da ist.',
  palette: {
    title: 'Alles durchsuchen',
    button: 'Suchen',
    placeholder: 'Suchen oder eingeben, was zu tun ist',
    shortcut: (isMac) => (isMac ? '⌘ K' : 'Ctrl K'),
    shortcuts: 'Control+K Meta+K',
  },
  keys: {
    title: 'Tastenkürzel',
    all: [
      ['j', 'Nächste Zeile einer Liste'],
      ['k', 'Vorige Zeile'],
      ['Enter', 'Zeile öffnen'],
      ['x', 'Zeile aus- oder abwählen, wo Zeilen ausgewählt werden können'],
      ['?', 'Diese Tasten anzeigen'],
      ['Ctrl K', 'Alles durchsuchen; auf einem Mac ⌘ K. Dieses Kürzel funktioniert immer.'],
    ],
    use: 'Diese Tasten verwenden',
    hint: 'Schalten Sie sie aus, wenn Sie mit Ihrem Computer sprechen oder Taster verwenden. Die Wahl wird in diesem Browser gespeichert.',
    close: 'Schließen',
  },
  records: {
    shown: 'Tributary-Konto',
    switchTo: 'Tributary-Konto wechseln',
    all: 'Alle Tributary-Konten',
  },
  switched: {
    title: 'Sie sehen jetzt ein anderes Tributary-Konto',
    text: 'Sie haben in einem anderen Tab dieses Browsers dorthin gewechselt. Was Sie hier gerade getan haben, wurde nicht ausgeführt.',
  },
  ended: {
    title: 'Sie sind abgemeldet',
    text: 'Ihre Sitzung ist beendet. Melden Sie sich in einem neuen Tab an, kommen Sie dann zurück und machen Sie weiter: Ihre Eingaben bleiben erhalten.',
    again: 'Ich habe mich angemeldet',
    notYet: 'Sie sind noch nicht angemeldet.',
  },
  tooMany: {
    title: (seconds) =>
      `Zu viele Anfragen. Weiter in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`}.`,
    text: 'Was Sie sehen, bleibt, und diese Seite macht automatisch weiter.',
  },
  abandoned: {
    title: 'Eine Änderung wurde nicht ausgeführt',
    text: 'Der Dienst war zu ausgelastet, um sie zu speichern, und Sie haben die Seite verlassen oder abgebrochen, bevor sie erneut gesendet wurde.',
  },
  pageTitle: (title) => `${title} · Tributary`,
};
