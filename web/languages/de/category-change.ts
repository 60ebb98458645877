import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/category-change.ts';

const ofTransactions = (count: number) => counted(count, 'Umsatz', 'Umsätzen');
const ofRead = (count: number) => counted(count, 'bisher gelesenen Umsatz', 'bisher gelesenen Umsätzen');

const SHOWN = 3;

/** The first few, and how many more there are. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `„${name}“`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} und ${numberText(more)} weitere`;
}

export const CATEGORY_CHANGE: typeof english.CATEGORY_CHANGE = {
  title: 'Kategorie ändern',
  titleOf: (count) => `Kategorie von ${ofTransactions(count)} ändern`,
  category: 'Neue Kategorie',
  choose: 'Kategorie wählen',
  loading: 'Ihre Kategorien werden geladen…',
  noCategories: 'Sie haben noch keine Kategorien. Erstellen Sie zuerst welche unter „Kategorien“.',
  how: 'Wie soll das gelten?',
  these: (count) => (count === 1 ? 'Nur dieser Umsatz' : `Nur diese ${counted(count, 'Umsatz', 'Umsätze')}`),
  theseHint:
    'Andere behalten ihre Kategorie. Syncs mit Ihren Kategorien übertragen sie ab ihrem nächsten Lauf.',
  pendingLeft: (count) =>
    count === 1
      ? `${numberText(count)} davon ist noch vorgemerkt und lässt sich nach der Buchung ändern.`
      : `${numberText(count)} davon sind noch vorgemerkt und lassen sich nach der Buchung ändern.`,
  byBank: 'Wie die Kategorie der Bank',
  theseDoneText: (count, name) => `${counted(count, 'Umsatz', 'Umsätze')}: ${name}.`,
  claim: 'Die Kategorie der Bank anders zuordnen',
  claims: 'Die Kategorien der Bank anders zuordnen',
  claimHint: (names) =>
    `Alles, was die Bank ${quoted(names)} nennt, kommt in die neue Kategorie, auch frühere Umsätze: hier und in Syncs, die Ihre Kategorien verwenden.`,
  codes: 'Bezeichnung der Bank',
  codeCount: (chosen) => `${numberText(chosen)} der ausgewählten`,
  uncoded: (count) =>
    count === 1
      ? `Bei ${numberText(count)} Umsatz nennt die Bank keine Kategorie; er bleibt, wie er ist.`
      : `Bei ${numberText(count)} Umsätzen nennt die Bank keine Kategorie; sie bleiben, wie sie sind.`,
  example: 'Umsätze wie',
  claimless: 'Die Bank nennt bei diesem Umsatz keine Kategorie, daher lässt sich nichts zuordnen.',
  claimed: 'Das ist bereits die Kategorie.',
  rule: 'Immer so bei Umsätzen wie diesem',
  ruleOfSome: 'Immer so bei Umsätzen wie einem von diesen',
  ruleHint:
    'Eine Regel ändert Umsätze auf dem Weg zu Ihren Zielen, ab dem nächsten Lauf. Diese Seite zeigt weiterhin die Kategorie, zu der die Kategorie der Bank führt.',
  claimEffect: (moved, read) =>
    `${numberText(moved)} von ${ofRead(read)} ${moved === 1 ? 'wird' : 'werden'} verschoben.`,
  claimOthers: (count) =>
    `Darunter ${counted(count, 'Umsatz, der', 'Umsätze, die')} nicht ausgewählt ${count === 1 ? 'ist' : 'sind'}.`,
  claimTakes: (name, count) =>
    count === 1
      ? `„${name}“ verliert diese Kategorie der Bank.`
      : `„${name}“ verliert ${numberText(count)} Kategorien der Bank.`,
  like: 'Als „wie dieser“ gelten Umsätze, bei denen',
  likeness: 'Vergleich',
  likenesses: {
    merchant: 'Händler ist',
    contains: 'Beschreibung enthält',
    equals: 'Beschreibung ist genau',
  },
  text: 'Text',
  onlyAccount: (name) => `Nur in ${name}`,
  onlyDirection: { credit: 'Nur Eingänge', debit: 'Nur Ausgänge' },
  emptyText: 'Geben Sie einen Text zum Vergleichen ein.',
  matches: (matched, read) =>
    `${numberText(matched)} von ${ofRead(read)} ${matched === 1 ? 'passt' : 'passen'}`,
  andMore: (count) => `und ${numberText(count)} weitere`,
  ruleset: 'Regel hinzufügen zu',
  newRuleset: 'Neuer Regelsatz',
  rulesetName: 'Name des Regelsatzes',
  defaultRuleset: 'Kategorien',
  rulesetLabel: (name, syncs) =>
    `${name} (${syncs === 0 ? 'von keinem Sync verwendet' : `von ${counted(syncs, 'Sync', 'Syncs')} verwendet`})`,
  rulesetOff:
    'Dieser Regelsatz ist ausgeschaltet. Schalten Sie ihn unter „Kategorien“ ein, damit die Regel wirkt.',
  ruleName: (name, text) => `${name}: ${text}`,
  orderHint:
    'Regeln werden der Reihe nach angewendet. Frühere Regeln im Regelsatz können einen Umsatz ändern, bevor diese ihn sieht.',
  save: { these: 'Kategorie ändern', claim: 'Kategorie ändern', rule: 'Regel erstellen' },
  failed: {
    these: 'Die Kategorie wurde nicht geändert',
    claim: 'Die Kategorie wurde nicht geändert',
    rule: 'Die Regel wurde nicht erstellt',
    undo: 'Die Änderung wurde nicht zurückgenommen',
  },
  claimDone: 'Kategorie geändert',
  claimDoneText: (codes, name) => `Was die Bank ${quoted(codes)} nennt, ist jetzt „${name}“.`,
  always: (name) => `Immer so bei „${name}“`,
  ruleDone: (ruleset) => `Regel in „${ruleset}“ erstellt`,
  ruleDoneText: 'Sie wirkt ab dem nächsten Lauf der Syncs, die diesen Regelsatz verwenden.',
  ruleUnused:
    'Noch kein Sync verwendet diesen Regelsatz. Die Regel wirkt erst, wenn Sie ihn bei einem Sync anwenden.',
  syncs: 'Syncs mit Umsätzen',
  noSyncs: 'Sie haben noch keinen Sync für Umsätze. Wählen Sie den Regelsatz, wenn Sie einen erstellen.',
  uses: 'Verwendet diesen Regelsatz',
  usesNot: 'Verwendet ihn nicht',
  replaces: (name) => `Verwendet derzeit ${name}; das würde ersetzt`,
  another: 'einen anderen Regelsatz',
  sendsNone: 'Überträgt Ihre Kategorien nicht. Schalten Sie sie im Sync ein, um sie am Ziel zu sehen.',
  attach: 'Anwenden',
  attachTo: (name) => `Bei „${name}“ anwenden`,
  attachFailed: 'Der Regelsatz wurde nicht angewendet',
  readOnly: 'Sie können dieses Tributary-Konto ansehen, aber nicht ändern. Bitten Sie einen Inhaber darum.',
};
