import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/problems.ts';

export const PROBLEMS: typeof english.PROBLEMS = {
  title: 'Das konnte nicht geladen werden',
  failed: 'Das hat nicht geklappt',
  unreachable: 'Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.',
  pageMissing: 'Seite nicht geladen',
  scriptMissing:
    'Dieser Teil der Anwendung fehlt. Versuchen Sie es später erneut; wenn es so bleibt, melden Sie es bitte.',
  unknown:
    'Auf dieser Seite ist etwas Unerwartetes geschehen. Laden Sie sie neu; wenn es wieder geschieht, melden Sie es bitte.',
  signedOut: 'Ihre Sitzung ist beendet, daher wurde nichts gelesen oder geändert.',
  reference: (id) => `Referenz: ${id}`,
  explain: 'Was das bedeutet',
  switchTo: (record) => `Zu ${record} wechseln`,
  againAt: (time) => `Ihre Bank erlaubt um ${time} eine weitere Abfrage. Dann wird abgefragt.`,
  again: 'Erneut versuchen',
  signIn: 'In einem neuen Tab anmelden',
  signInHint:
    'Kommen Sie dann zu dieser Seite zurück und wiederholen Sie, was Sie getan haben. Ihre Eingaben bleiben erhalten.',
  dismiss: 'Ausblenden',
  undo: 'Rückgängig',
  undoShortcut: 'Control+Z Meta+Z',
  undoKeys: 'Zum Rückgängigmachen Strg Z drücken.',
  undone: 'Rückgängig gemacht',
  partlyUndone: 'Nicht alles wurde rückgängig gemacht',
  loading: 'Wird geladen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  copy: 'Kopieren',
  copied: 'Kopiert',
  showMore: 'Mehr anzeigen',
  printedOnly: (shown, all) =>
    `Die ersten ${numberText(shown)} von ${numberText(all)} Einträgen. Für alle laden Sie eine Datei herunter.`,
  listKeys: 'Mit den Pfeiltasten wechseln Sie zwischen Zeilen, mit der Eingabetaste öffnen Sie eine.',
  asTable: 'Als Tabelle anzeigen',
  dayOutOfRange: 'Dieser Tag liegt außerhalb des Bereichs, der angezeigt werden kann.',
};

export const ROLES: typeof english.ROLES = {
  title: 'Das kann nur ein Inhaber',
  text: 'Sie können dieses Tributary-Konto ansehen, aber nicht ändern. Bitten Sie einen Inhaber darum oder lassen Sie Ihre Rolle ändern.',
  sentence: 'Das kann nur ein Inhaber ändern.',
};
