import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/category-change.ts';

const transactions = (count: number) => counted(count, 'transaction', 'transactions');

const SHOWN = 3;

/** The first few, and how many more there are. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `« ${name} »`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} et ${counted(more, 'autre', 'autres')}`;
}

export const CATEGORY_CHANGE: typeof english.CATEGORY_CHANGE = {
  title: 'Changer la catégorie',
  titleOf: (count) => `Changer la catégorie de ${transactions(count)}`,
  category: 'Nouvelle catégorie',
  choose: 'Choisir une catégorie',
  loading: 'Chargement de vos catégories…',
  noCategories: 'Vous n’avez pas encore de catégorie. Créez-en d’abord sous Catégories.',
  how: 'Comment appliquer ce changement ?',
  these: (count) => (count === 1 ? 'Seulement cette transaction' : `Seulement ces ${transactions(count)}`),
  theseHint:
    'Les autres gardent leur catégorie. Les synchronisations qui utilisent vos catégories l’écrivent dès leur prochaine exécution.',
  pendingLeft: (count) =>
    count === 1
      ? `${numberText(count)} d’entre elles est encore en attente et pourra être changée une fois comptabilisée.`
      : `${numberText(count)} d’entre elles sont encore en attente et pourront être changées une fois comptabilisées.`,
  byBank: 'Selon la catégorie de la banque',
  theseDoneText: (count, name) => `${transactions(count)} : ${name}.`,
  claim: 'Changer le sens de la catégorie de la banque',
  claims: 'Changer le sens des catégories de la banque',
  claimHint: (names) =>
    `Tout ce que la banque appelle ${quoted(names)} est classé dans la nouvelle catégorie, les transactions passées aussi : ici, et dans les synchronisations qui utilisent vos catégories.`,
  codes: 'Ce que la banque appelle',
  codeCount: (chosen) => `${numberText(chosen)} dans votre sélection`,
  uncoded: (count) =>
    `${counted(count, 'transaction n’a', 'transactions n’ont')} pas de catégorie de la banque et ${count === 1 ? 'reste telle quelle' : 'restent telles quelles'}.`,
  example: 'Transactions semblables à',
  claimless: 'La banque ne donne aucune catégorie à cette transaction : il n’y a donc rien à rattacher.',
  claimed: 'Elle est déjà dans cette catégorie.',
  rule: 'Toujours faire ainsi pour les transactions semblables à celle-ci',
  ruleOfSome: 'Toujours faire ainsi pour les transactions semblables à l’une de celles-ci',
  ruleHint:
    'Une règle modifie les transactions en route vers vos destinations, à partir de la prochaine exécution. Cette page continue d’afficher la catégorie qui découle de celle de la banque.',
  claimEffect: (moved, read) =>
    `Transactions à déplacer parmi ${transactions(read)} lues jusqu’ici : ${numberText(moved)}.`,
  claimOthers: (count) =>
    `Parmi elles, ${counted(count, 'transaction n’est pas sélectionnée', 'transactions ne sont pas sélectionnées')}.`,
  claimTakes: (name, count) =>
    `« ${name} » perd ${count === 1 ? 'cette catégorie de la banque' : `${numberText(count)} catégories de la banque`}.`,
  like: 'Sont semblables à celle-ci les transactions dont',
  likeness: 'Comparer',
  likenesses: {
    merchant: 'le commerçant est',
    contains: 'la description contient',
    equals: 'la description est exactement',
  },
  text: 'Texte',
  onlyAccount: (name) => `Uniquement dans ${name}`,
  onlyDirection: {
    credit: 'Uniquement les entrées d’argent',
    debit: 'Uniquement les sorties d’argent',
  },
  emptyText: 'Saisissez un texte à comparer.',
  matches: (matched, read) =>
    `Correspondances parmi ${transactions(read)} lues jusqu’ici : ${numberText(matched)}`,
  andMore: (count) => `et ${counted(count, 'autre', 'autres')}`,
  ruleset: 'Ajouter la règle à',
  newRuleset: 'Un nouveau jeu de règles',
  rulesetName: 'Nom du jeu de règles',
  defaultRuleset: 'Catégories',
  rulesetLabel: (name, syncs) =>
    `${name} (${syncs === 0 ? 'aucune synchronisation ne l’utilise' : counted(syncs, 'synchronisation l’utilise', 'synchronisations l’utilisent')})`,
  rulesetOff: 'Ce jeu de règles est désactivé. Activez-le sous Catégories pour que la règle prenne effet.',
  ruleName: (name, text) => `${name} : ${text}`,
  orderHint:
    'Les règles s’appliquent dans l’ordre. Celles qui précèdent dans le jeu peuvent modifier une transaction avant que celle-ci ne la voie.',
  save: { these: 'Changer la catégorie', claim: 'Changer la catégorie', rule: 'Créer la règle' },
  failed: {
    these: 'La catégorie n’a pas été changée',
    claim: 'La catégorie n’a pas été changée',
    rule: 'La règle n’a pas été créée',
    undo: 'Le changement n’a pas été annulé',
  },
  claimDone: 'Catégorie changée',
  claimDoneText: (codes, name) =>
    `Ce que la banque appelle ${quoted(codes)} est désormais classé dans « ${name} ».`,
  always: (name) => `Toujours faire ainsi pour ${name}`,
  ruleDone: (ruleset) => `Règle créée dans « ${ruleset} »`,
  ruleDoneText:
    'Elle prend effet à la prochaine exécution des synchronisations qui utilisent ce jeu de règles.',
  ruleUnused:
    'Aucune synchronisation n’utilise encore ce jeu de règles : la règle n’a donc pas d’effet tant que vous ne l’associez pas à l’une d’elles.',
  syncs: 'Synchronisations de transactions',
  noSyncs:
    'Vous n’avez pas encore de synchronisation de transactions. Associez-lui le jeu de règles quand vous en créerez une.',
  uses: 'Utilise ce jeu de règles',
  usesNot: 'Ne l’utilise pas',
  replaces: (name) => `Utilise actuellement ${name}, qui sera remplacé`,
  another: 'un autre jeu de règles',
  sendsNone:
    'N’envoie pas vos catégories. Activez-les dans la synchronisation pour voir ce changement à la destination.',
  attach: 'Associer',
  attachTo: (name) => `Associer à ${name}`,
  attachFailed: 'Le jeu de règles n’a pas été associé',
  readOnly:
    'Vous pouvez consulter ce compte Tributary, mais pas le modifier. Demandez à un propriétaire de le faire.',
};
