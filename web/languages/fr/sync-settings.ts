import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-settings.ts';

const EVERY_DAY = 'Tous les jours';
const EVERY_WEEK = 'Toutes les semaines';

export const SYNC_FIELDS_TEXT: typeof english.SYNC_FIELDS_TEXT = {
  accounts: {
    legend: 'Quels comptes ?',
    all: 'Tous les comptes',
    chosen: (count) => counted(count, 'compte choisi', 'comptes choisis'),
    none: {
      transactions:
        'Aucun compte bancaire n’est connecté. Connectez une banque pour copier ses transactions.',
      holdings: 'Aucun compte de courtage n’est connecté. Connectez un courtier pour copier des positions.',
      trades:
        'Aucun compte de courtage n’est connecté. Connectez un courtier pour copier des opérations de bourse.',
    },
    left: (count) =>
      `${counted(count, 'compte d’un autre type n’est pas listé', 'comptes d’un autre type ne sont pas listés')}.`,
    unavailable: 'N’est plus listé par la banque',
    link: 'Connecter une banque',
  },
  places: {
    sheet: {
      legend: 'Où vont les lignes de chaque compte ?',
      bulk: 'Toutes dans un seul onglet',
      bulkHint:
        'Une liste avec tous les comptes, dans l’onglet que vous avez choisi. Une colonne indique le compte de chaque ligne.',
      perAccount: 'Un onglet par compte',
      perAccountHint:
        'Tributary crée un onglet pour chaque compte lors de la première exécution, ou écrit dans un onglet existant.',
      newTab: 'Un nouvel onglet, créé lors de la première exécution',
      place: (account) => `Onglet pour ${account}`,
      choose: 'Choisir un onglet',
    },
    tabs: 'Quel onglet reçoit les lignes de chaque compte ?',
    budget: {
      legend: 'Quel compte du budget reçoit les lignes de chaque compte ?',
      place: (account) => `Compte du budget pour ${account}`,
      choose: 'Choisir un compte',
    },
    none: 'La destination n’a rien à proposer. Créez-y un compte, puis actualisez la liste.',
    again: 'Actualiser la liste',
    failed: 'La destination n’a pas pu être interrogée',
    truncated: 'La destination a plus d’éléments qu’il n’en est listé ici.',
  },
  categories: {
    legend: 'Quelle catégorie du budget reçoit quelles lignes ?',
    hint: 'Les lignes dont la catégorie n’a pas de correspondance arrivent sans catégorie ; vous pouvez les classer là-bas.',
    unmapped: 'Laisser vide',
    details: (primary) => `Catégories plus précises : ${primary}`,
    inside: (mapped, proposed) =>
      [
        mapped === 0 ? '' : ` · correspondances : ${mapped}`,
        proposed === 0 ? '' : ` · propositions : ${proposed}`,
      ].join(''),
    failed: 'Les catégories du budget n’ont pas pu être listées',
    group: 'Catégories',
  },
  proposals: {
    title: (count) =>
      `${counted(count, 'proposition', 'propositions')} pour ce qui n’a pas encore de correspondance`,
    text: 'D’après le nom, le numéro de compte et ce qu’utilisent vos autres synchronisations. Rien n’est défini tant que vous n’acceptez pas.',
    accept: 'Tout accepter',
    of: (name, why) => `Proposition : ${name} (${why})`,
    history: (sync) => `comme dans ${sync}`,
    number: (digits) => `numéro se terminant par ${digits}`,
    same_name: 'même nom',
    own_category: (name) => `votre catégorie ${name}`,
    similar_name: 'nom semblable',
    type: 'même type',
    accepted: (count) => counted(count, 'correspondance définie', 'correspondances définies'),
    acceptedText: 'Vérifiez-les avant d’enregistrer.',
  },
  columns: {
    legend: 'Colonnes',
    standard: 'Les colonnes standard',
    own: 'Choisir et ordonner les colonnes',
    ownHint:
      'Seules celles-ci sont écrites. Les colonnes que vous ajoutez vous-même là-bas restent telles quelles.',
    key: 'Toujours écrite : elle sert à retrouver les lignes',
    up: (name) => `Monter ${name}`,
    down: (name) => `Descendre ${name}`,
    empty: 'Choisissez au moins une colonne.',
  },
  options: {
    from: 'Premier jour',
    fromHint: (months) =>
      `Vide : ${counted(months, 'mois', 'mois')} en arrière. Au plus 7 ans en arrière : un jour antérieur devient le premier autorisé, un jour futur devient aujourd’hui. Votre banque partage peut-être moins.`,
    fromMoved: (asked, day) => `Le ${asked} n’est pas possible ; les lignes sont copiées depuis le ${day}.`,
    legend: 'Lignes',
    include_pending: 'Inclure les transactions en attente',
    include_pendingHint:
      'Elles peuvent changer ou disparaître. La ligne est remplacée quand la transaction est comptabilisée, et retirée si elle ne l’est jamais.',
    mask_account_numbers: 'Masquer les numéros de compte',
    mask_account_numbersHint:
      'Affiche seulement les quatre derniers chiffres, là où une colonne ou un champ contient le numéro.',
    custom_categories: 'Utiliser mes catégories',
    custom_categoriesHint: 'Écrit la catégorie de votre propre arborescence au lieu de celle de la banque.',
    include_balances_tab: 'Écrire aussi les soldes',
    ruleset: 'Règles',
    rulesetHint:
      'Modifiez, étiquetez ou ignorez des lignes en chemin. Les règles ne s’appliquent pas aux positions ni aux opérations de bourse.',
    noRuleset: 'Aucune règle',
    disabled: (name) => `${name} (désactivé)`,
    makeRules: 'Créer des règles',
  },
  schedule: {
    legend: 'Quand s’exécute-t-elle ?',
    often: 'Aussi souvent que le service le permet',
    oftenHint: 'Toutes les 6 heures, sauf si l’administrateur de cette installation en a décidé autrement.',
    interval: 'À intervalle régulier',
    every: 'Fréquence',
    intervals: {
      360: 'Toutes les 6 heures',
      720: 'Toutes les 12 heures',
      1440: EVERY_DAY,
      2880: 'Tous les 2 jours',
      4320: 'Tous les 3 jours',
      10080: EVERY_WEEK,
    },
    times: 'À des heures précises',
    timesHint:
      'À au moins 6 heures d’écart, sauf si l’administrateur de cette installation en a décidé autrement.',
    time: (at) => `Heure ${at}`,
    addTime: 'Ajouter une heure',
    removeTime: (time) => `Retirer ${time}`,
    zone: 'Fuseau horaire',
    zoneHint: 'Les heures restent celles qu’affichent les horloges là-bas, en été comme en hiver.',
    bad: 'Écrivez les heures sous la forme 08:30.',
    twice: (time) => `${time} figure deux fois.`,
    manual:
      'Une synchronisation a toujours une fréquence. Pour ne la lancer qu’à la demande, mettez-la en pause entre les exécutions.',
    // The period says `Tous` or `Toutes` itself, because that depends on its unit.
    everyWords: (period) => `${period}`,
    minutes: (count) => `Toutes les ${count} minutes`,
    hours: (count) => (count === 1 ? 'Toutes les heures' : `Toutes les ${counted(count, 'heure', 'heures')}`),
    days: (count) => `Tous les ${counted(count, 'jour', 'jours')}`,
    aDay: EVERY_DAY,
    aWeek: EVERY_WEEK,
    atWords: (times, zone) => `Tous les jours à ${times} (${zone})`,
  },
};
