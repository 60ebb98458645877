import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destination-targets.ts';

const KINDS: typeof english.TARGETS.kinds = {
  spreadsheet: {
    one: 'Tabelle',
    many: 'Tabellen',
    none: 'Keine Tabelle zur Auswahl',
    noneText:
      'Google zeigt Tributary nur Tabellen, die Tributary angelegt hat oder die Sie damit geöffnet haben. Legen Sie stattdessen eine neue an.',
  },
  sheet: {
    one: 'Tabellenblatt',
    many: 'Tabellenblätter',
    none: 'Kein Tabellenblatt in dieser Tabelle',
    noneText: 'Fügen Sie der Tabelle ein Tabellenblatt hinzu und sehen Sie dann erneut nach.',
  },
  database: {
    one: 'Datenbank',
    many: 'Datenbanken',
    none: 'Keine Datenbank zur Auswahl',
    noneText:
      'Notion zeigt Tributary nur Seiten, die Sie dafür freigegeben haben. Geben Sie die Seite mit der Datenbank frei und sehen Sie dann erneut nach.',
  },
  base: {
    one: 'Base',
    many: 'Bases',
    none: 'Keine Base zur Auswahl',
    noneText:
      'Legen Sie bei Airtable eine Base an, oder melden Sie sich erneut an und wählen Sie sie auf der Seite von Airtable aus.',
  },
  table: {
    one: 'Tabelle',
    many: 'Tabellen',
    none: 'Keine Tabelle vorhanden',
    noneText: 'Legen Sie stattdessen eine neue an.',
  },
  budget: {
    one: 'Budget',
    many: 'Budgets',
    none: 'Kein Budget zur Auswahl',
    noneText: 'Legen Sie dort zuerst ein Budget an und sehen Sie dann erneut nach.',
  },
  folder: {
    one: 'Ordner',
    many: 'Ordner',
    none: 'Kein Ordner zur Auswahl',
    noneText: 'Legen Sie stattdessen einen neuen an.',
  },
  schema: {
    one: 'Schema',
    many: 'Schemas',
    none: 'Kein Schema zur Auswahl',
    noneText:
      'Geben Sie dem Datenbankbenutzer das Recht, ein Schema zu verwenden, und sehen Sie dann erneut nach.',
  },
};

interface Endings {
  /** As in „neue Tabelle“. */
  readonly new: string;
  readonly existing: string;
  readonly chosen: string;
  /** Accusative. */
  readonly this: string;
  readonly other: string;
  /** Dative, after „in“. */
  readonly which: string;
}

const FEMININE: Endings = {
  new: 'Neue',
  existing: 'Vorhandene',
  chosen: 'Ausgewählte',
  this: 'Diese',
  other: 'Andere',
  which: 'welcher',
};
const MASCULINE: Endings = {
  new: 'Neuer',
  existing: 'Vorhandener',
  chosen: 'Ausgewählter',
  this: 'Diesen',
  other: 'Anderen',
  which: 'welchem',
};
const NEUTER: Endings = {
  new: 'Neues',
  existing: 'Vorhandenes',
  chosen: 'Ausgewähltes',
  this: 'Dieses',
  other: 'Anderes',
  which: 'welchem',
};

const endings = new Map([
  [KINDS.sheet.one, NEUTER],
  [KINDS.budget.one, NEUTER],
  [KINDS.schema.one, NEUTER],
  [KINDS.folder.one, MASCULINE],
]);

/** What adjectives and pronouns beside a kind are. */
function beside(kind: string): Endings {
  return endings.get(kind) ?? FEMININE;
}

export const TARGETS: typeof english.TARGETS = {
  kinds: KINDS,
  how: 'Wohin sollen die Zeilen?',
  makeNew: (kind) => `${beside(kind).new} ${kind}`,
  existing: (kind) => `${beside(kind).existing} ${kind}`,
  existingHint: 'Fehlende Spalten werden ergänzt. Was Sie dort haben, bleibt.',
  name: 'Name',
  defaultName: 'Tributary',
  nameMissing: 'Geben Sie einen Namen ein.',
  holds: 'Inhalt',
  holdsChoices: { transactions: 'Umsätze', holdings: 'Positionen', trades: 'Trades' },
  holdsHint: 'Danach richten sich die Spalten.',
  make: (kind) => `${kind} anlegen`,
  making: 'Das kann einige Sekunden dauern.',
  makeFailed: (kind) => `${kind} nicht angelegt`,
  makeFailedText:
    'Versuchen Sie es erneut: Wurde doch etwas angelegt, wird es gefunden und nicht doppelt angelegt.',
  inside: (kind) => `In ${beside(kind).which} ${kind}?`,
  choose: (kind) => `${kind} auswählen`,
  chooseIn: (kind, name) => `${kind} in „${name}“ auswählen`,
  chosen: (kind) => `${beside(kind).chosen} ${kind}`,
  other: (kind) => `${beside(kind).other} ${kind} auswählen`,
  aim: (kind) => `${beside(kind).this} ${kind} verwenden`,
  aimFailed: 'Der Speicherort wurde nicht festgelegt',
  search: (many) => `${many} suchen`,
  count: (shown, all) =>
    shown === all ? `${all} zur Auswahl` : `${counted(shown, 'Treffer', 'Treffer')} von ${all}`,
  unmatched: 'Nichts mit diesem Namen. Ändern Sie die Suche.',
  truncated: (count) =>
    `Nur ${count} sind hier aufgeführt. Wenn Ihr Eintrag fehlt, löschen oder archivieren Sie dort einige.`,
  again: 'Erneut nachsehen',
  listFailed: (many) => `${many} konnten nicht aufgelistet werden`,
  current: 'Wird verwendet',
};
