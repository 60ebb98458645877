import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/transactions.ts';

const transactions = (count: number) => counted(count, 'transaction', 'transactions');

export const TRANSACTIONS: typeof english.TRANSACTIONS = {
  title: 'Transactions',
  tabs: 'Vues des transactions',
  recurring: 'Récurrences',
  merchants: 'Commerçants',
  filters: 'Filtres',
  account: 'Compte',
  everyAccount: 'Tous les comptes',
  everyAccountOf: (bank) => `Tous les comptes : ${bank}`,
  from: 'Du',
  to: 'Au',
  search: 'Rechercher',
  kind: 'Afficher',
  kinds: {
    all: 'Toutes',
    in: 'Entrées',
    out: 'Sorties',
    spending: 'Dépenses et remboursements',
    pending: 'En attente',
  },
  category: 'Catégorie',
  everyCategory: 'Toutes les catégories',
  noCategory: 'Aucune catégorie',
  wholeGroup: (name) => `Tout le groupe ${name}`,
  uncategorised: 'Aucune catégorie, pas même de la banque',
  ofBank: (code) => `${code}, d’après la banque seulement`,
  least: 'Au moins',
  most: 'Au plus',
  noAmount: (example) => `Saisissez un montant tel que ${example}.`,
  sort: 'Trier par',
  sorts: {
    newest: 'Plus récentes d’abord',
    oldest: 'Plus anciennes d’abord',
    largest: 'Montant le plus élevé',
    smallest: 'Montant le plus faible',
  },
  clear: 'Effacer les filtres',
  moreFilters: 'Plus de filtres',
  fewerFilters: 'Moins de filtres',
  pending: 'En attente',
  pendingRows: (count) => `${numberText(count)} en attente`,
  showPending: 'Afficher',
  hidePending: 'Masquer',
  pendingAside: 'Peuvent changer ou disparaître avant d’être comptabilisées',
  total: (amounts) => `Total : ${amounts}`,
  amountsIn: (currency) => `Montants en ${currency}`,
  noDate: 'Sans date',
  rows: transactions,
  sortedSoFar: 'Triées parmi celles-ci. Lisez toute la période pour les trier toutes.',
  readWhole: 'Lire toute la période',
  reading: (count) => `Lecture… ${transactions(count)}`,
  loading: 'Chargement des transactions plus anciennes…',
  end: 'Aucune transaction plus ancienne durant cette période',
  none: 'Aucune transaction durant cette période',
  noneText: 'Choisissez des jours antérieurs ou un autre compte.',
  unmatched: 'Aucune transaction ne correspond',
  searched: (from, to) => `Recherche effectuée du ${from} au ${to}.`,
  unmatchedText: 'Modifiez la recherche ou les filtres pour en voir plus.',
  noAccount: 'Aucun compte bancaire n’est encore connecté',
  noAccountText:
    'Connectez une banque pour voir ses transactions. Elles sont lues à la banque quand vous les consultez, et ne sont pas conservées.',
  moreFailed: 'Les transactions plus anciennes n’ont pas pu être chargées',
  bankFailed: (bank) => `Transactions absentes ici, car la banque n’a pas pu être lue : ${bank}`,
};

export const UNLINKED_ACCOUNT: typeof english.UNLINKED_ACCOUNT = {
  choice: 'Plus connecté',
  title: 'Ce compte n’est plus connecté',
  text: 'Il a été déconnecté, ou reconnecté comme nouveau compte. Choisissez-en un autre, ou affichez tous les comptes.',
  showAll: 'Afficher tous les comptes',
};

export const TRANSACTION: typeof english.TRANSACTION = {
  account: 'Compte',
  bank: 'Banque',
  status: 'État',
  statuses: { posted: 'Comptabilisée', pending: 'En attente' },
  date: 'Date',
  posted: 'Comptabilisée le',
  valueDate: 'Date de valeur',
  description: 'Description',
  more: 'Autres informations de la banque',
  reference: 'Référence',
  merchant: 'Commerçant',
  merchantCode: 'Code d’activité du commerçant',
  category: 'Catégorie',
  none: 'Aucune',
  bankCategory: 'Catégorie à la banque',
  noCategory: 'Aucune catégorie',
  idOf: (id) => `Identifiant de la transaction : ${id}`,
  change: 'Changer la catégorie',
};

export const SELECTION: typeof english.SELECTION = {
  label: 'Transactions sélectionnées',
  start: 'Sélectionner',
  stop: 'Terminé',
  one: (name) => `Sélectionner ${name}`,
  chosen: (count) => counted(count, 'sélectionnée', 'sélectionnées'),
  all: (count, complete) =>
    complete
      ? `Tout sélectionner (${numberText(count)})`
      : `Tout sélectionner (${numberText(count)} jusqu’ici)`,
  clear: 'Effacer la sélection',
};

export const LISTED: typeof english.LISTED = {
  narrowed: (found, read) => `${found} sur ${read}`,
  soFar: (shown) => `${shown} jusqu’ici`,
};

export const EXPORTS: typeof english.EXPORTS = {
  action: 'Exporter',
  title: 'Exporter les transactions',
  everything: (days) =>
    `Les transactions ${days}, même celles qui n’ont pas encore été lues. Elles sont maintenant demandées à la banque.`,
  filtered: (count) =>
    `${counted(count, 'transaction correspond', 'transactions correspondent')} à vos filtres.`,
  filteredSoFar: (count) =>
    `${counted(count, 'transaction trouvée jusqu’ici correspond', 'transactions trouvées jusqu’ici correspondent')} à vos filtres. Le reste de la période est lu d’abord.`,
  days: (from, to) => `du ${from} au ${to}`,
  format: 'Format',
  formats: { csv: 'CSV', jsonl: 'JSON Lines', ofx: 'OFX', ofx1: 'OFX 1.02', qif: 'QIF' },
  hints: {
    csv: 'Pour les tableurs. Un texte qu’un tableur exécuterait comme une formule est précédé d’une apostrophe.',
    jsonl: 'Pour les programmes : chaque ligne est une transaction, telle que l’API la présente.',
    ofx: 'Pour les logiciels de comptabilité. Transactions comptabilisées seulement.',
    ofx1: 'Pour les logiciels de comptabilité qui ne lisent pas d’OFX plus récent.',
    qif: 'Pour les logiciels qui ne lisent pas OFX. Importer deux fois une période crée des doublons.',
  },
  statementFiltered: 'Ce format contient des relevés entiers. Effacez les filtres pour en exporter un.',
  save: 'Enregistrer le fichier',
  failed: 'Le fichier n’a pas pu être créé',
  done: 'Fichier enregistré',
  doneText: (count, file) => `${transactions(count)} dans ${file}.`,
  // Headers of the CSV file, which importers know by their English names.
  bankCategory: 'Bank Category',
  reference: 'Reference',
  missingBanks: (names) => `Sans ${names.join(', ')} : lecture impossible.`,
};
