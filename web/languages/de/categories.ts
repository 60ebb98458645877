import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/categories.ts';

const codes = (count: number) => counted(count, 'Code', 'Codes');
const categories = (count: number) => counted(count, 'Kategorie', 'Kategorien');

export const CATEGORIES: typeof english.CATEGORIES = {
  title: 'Kategorien',
  tabs: 'Kategorien und Regeln',
  rules: 'Regeln',
  intro:
    'Ihre Bank gibt jedem Umsatz einen Code. Angezeigt wird die Kategorie, der Sie den Code zugeordnet haben. Umsätze werden dabei nicht verändert: Eine neue Zuordnung gilt sofort, auch für das letzte Jahr.',
  newGroup: 'Neue Gruppe',
  addTo: (group) => `Neue Kategorie in ${group}`,
  more: 'Weitere Aktionen',
  reset: 'Auf Standardkategorien zurücksetzen',
  showArchived: (count) => `Archivierte anzeigen (${count})`,
  archived: 'Archiviert',
  count: categories,
  noSources: 'Keine Codes zugeordnet',
  sources: (names) => names.join(', '),
  emptyGroup: 'Diese Gruppe ist noch leer. Fügen Sie eine Kategorie hinzu oder ziehen Sie eine hierher.',
  onlyArchived: 'Alles in dieser Gruppe ist archiviert.',
  none: 'Sie haben keine Kategorien',
  noneText:
    'Erstellen Sie die Standardkategorien und ändern Sie, was Sie möchten, oder beginnen Sie mit einer eigenen Gruppe.',
  createDefaults: 'Standardkategorien erstellen',
  wholeGroup: (name) => `Alles aus ${name}`,
  gone: 'Eine gelöschte Kategorie',
  actionsOf: (name) => `Aktionen für ${name}`,
  actions: {
    edit: 'Bearbeiten',
    claims: 'Codes auswählen',
    up: 'Nach oben',
    down: 'Nach unten',
    move: 'In eine Gruppe verschieben',
    archive: 'Archivieren',
    restore: 'Wiederherstellen',
    delete: 'Löschen',
  },
  done: {
    archived: (name) => `„${name}“ wurde archiviert`,
    archivedText:
      'Die Kategorie ist hier ausgeblendet. Ihre Codes bleiben zugeordnet, und ihre Umsätze bleiben darin.',
    restored: (name) => `„${name}“ wurde wiederhergestellt`,
    restoredText: 'Die Kategorie wird wieder angezeigt.',
    deleted: (name) => `„${name}“ wurde gelöscht`,
    released: 'Ihre Codes sind wieder frei.',
    reassigned: (name) => `Ihre Codes sind jetzt „${name}“ zugeordnet.`,
    claimed: (name, count) => `Jetzt „${name}“ zugeordnet: ${codes(count)}`,
    claimedText: 'Umsätze mit diesen Codes zeigen ab sofort diese Kategorie.',
    taken: (names) => `Nicht mehr zugeordnet bei: ${names.join(', ')}.`,
    reset: 'Die Standardkategorien sind wieder da',
    resetText:
      'Alle Kategorien sind neu. Prüfen Sie die Regeln, die eine Kategorie setzen oder danach suchen.',
  },
  failed: {
    move: (name) => `„${name}“ wurde nicht verschoben`,
    change: (name) => `„${name}“ wurde nicht geändert`,
    archive: (name) => `„${name}“ wurde nicht archiviert`,
    restore: (name) => `„${name}“ wurde nicht wiederhergestellt`,
    create: (name) => `„${name}“ wurde nicht erstellt`,
    delete: (name) => `„${name}“ wurde nicht gelöscht`,
    claim: (name) => `Die Codes von „${name}“ wurden nicht geändert`,
    reset: 'Nichts wurde zurückgesetzt',
    codes: 'Die Codes konnten nicht geladen werden',
  },
  resetting: {
    title: 'Auf Standardkategorien zurücksetzen?',
    text: (count) =>
      count === 0
        ? 'Die Standardkategorien werden mit ihren Codes erstellt.'
        : `${counted(count, 'Kategorie wird', 'Kategorien werden')} mit allen Zuordnungen gelöscht und durch die Standardkategorien ersetzt. Das kann nicht rückgängig gemacht werden.`,
    rules:
      'Regeln, die eine Ihrer Kategorien nennen, treffen nicht mehr zu, weil die neuen andere IDs haben.',
    action: 'Zurücksetzen',
  },
};

export const DRAGGING: typeof english.DRAGGING = {
  grip: (name) => `${name} verschieben`,
  hint: 'Leertaste zum Aufnehmen, Pfeiltasten zum Verschieben, Leertaste zum Ablegen, Escape zum Abbrechen.',
  lifted: (name, place) => `${name} ist aufgenommen. ${place} Verschieben Sie mit den Pfeiltasten.`,
  dropped: (name, place) => `${name} ist abgelegt. ${place}`,
  cancelled: (name, place) => `${name} ist wieder am alten Platz. ${place}`,
  place: (at, of, group) => `Platz ${at} von ${of} in ${group}.`,
  groupPlace: (at, of) => `Gruppe ${at} von ${of}.`,
};

export const CATEGORY_FORM: typeof english.CATEGORY_FORM = {
  editCategory: (name) => `„${name}“ bearbeiten`,
  newGroup: 'Neue Gruppe',
  newCategory: (group) => `Neue Kategorie in „${group}“`,
  name: 'Name',
  icon: 'Symbol',
  iconHint: 'Ein Emoji oder ein paar Buchstaben.',
  icons: 'Vorgeschlagene Symbole',
  color: 'Farbe',
  otherColor: 'Andere Farbe',
  colors: {
    '#2f9e44': 'Grün',
    '#1971c2': 'Blau',
    '#0c8599': 'Petrol',
    '#e8590c': 'Orange',
    '#c2255c': 'Pink',
    '#9c36b5': 'Violett',
    '#495057': 'Schiefer',
    '#868e96': 'Grau',
  },
  create: 'Erstellen',
};

export const MOVING: typeof english.MOVING = {
  title: (name) => `„${name}“ in eine Gruppe verschieben`,
  group: 'Gruppe',
  action: 'Verschieben',
  hint: 'Die Kategorie kommt ans Ende der Gruppe.',
};

export const DELETING: typeof english.DELETING = {
  title: (name) => `„${name}“ löschen?`,
  cannot:
    'Das kann nicht rückgängig gemacht werden. Zum Ausblenden mit allen Zuordnungen archivieren Sie stattdessen.',
  holds: (count) => `Diese Gruppe enthält ${categories(count)}.`,
  cascade: (count) =>
    count === 1
      ? 'Die enthaltene Kategorie ebenfalls löschen'
      : `Die enthaltenen ${categories(count)} ebenfalls löschen`,
  claims: (count) => `${counted(count, 'Code ist', 'Codes sind')} hier zugeordnet.`,
  after: 'Was mit den Codes geschieht',
  release: 'Freigeben',
  releaseHint: 'Ihre Umsätze fallen in die Kategorie des Hauptcodes zurück oder haben keine mehr.',
  reassign: 'Einer anderen Kategorie zuordnen',
  target: 'Kategorie, die sie übernimmt',
  rules: 'Regeln, die sie nennen, treffen nicht mehr zu.',
  action: 'Löschen',
};

export const CLAIMS: typeof english.CLAIMS = {
  title: (name) => `Codes von „${name}“`,
  intro:
    'Umsätze mit diesen Codes kommen in diese Kategorie. Jeder Code gehört zu höchstens einer Kategorie.',
  search: 'Codes suchen',
  codes: 'Codes der Anbieter',
  none: 'Kein Code passt.',
  left: (count) =>
    count === 0
      ? null
      : count === 1
        ? 'Ein Code wurde seitdem an anderer Stelle geändert und bleibt, wie er ist.'
        : `${codes(count)} wurden seitdem an anderer Stelle geändert und bleiben, wie sie sind.`,
  heldBy: (name) => `Derzeit in „${name}“`,
  here: 'In dieser Kategorie',
  follows: (name) => `Fällt zurück auf „${name}“`,
  free: 'In keiner Kategorie',
  chosen: (count) => `${codes(count)} ausgewählt`,
  takes: (list) => `Beim Speichern werden freigegeben: ${list.join(', ')}.`,
  takesFrom: (count, name) => `${codes(count)} von „${name}“`,
  save: 'Codes speichern',
};

export const UNCLAIMED: typeof english.UNCLAIMED = {
  title: 'Codes in keiner Kategorie',
  every: 'Jeder Code führt zu einer Ihrer Kategorien.',
  text: 'Umsätze mit diesen Codes zeigen keine Kategorie. Wählen Sie eine Kategorie dafür.',
  count: codes,
  claimFor: (label) => `Kategorie für ${label}`,
  choose: 'Kategorie wählen',
  action: 'Zuordnen',
  claim: (label) => `${label} zuordnen`,
};
