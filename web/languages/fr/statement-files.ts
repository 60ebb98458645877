import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/statement-files.ts';

export const STATEMENT_FILES: typeof english.STATEMENT_FILES = {
  unlisted: 'Votre banque n’est pas ici ?',
  unlistedText: 'Importez ses relevés sous forme de fichiers.',
  kept: 'Ces fichiers sont conservés',
  keptText:
    'Tributary ne conserve aucune donnée financière, à cette exception près : un fichier de relevé et les lignes que vous en reprenez sont conservés chiffrés, car aucune banque ne pourrait les fournir à nouveau. Un fichier est supprimé 30 jours après que chaque synchronisation de son compte l’a transmis, ou après le nombre de jours que vous choisissez ; et aussitôt, avec ses lignes, quand vous le supprimez.',
  guide: 'Comment fonctionnent les fichiers de relevés',
  drop: 'Déposez ici vos fichiers de relevés',
  formats: (most) => `OFX, QFX, QIF, CSV, CAMT.053 ou MT940, jusqu’à ${most} chacun`,
  choose: 'Choisir des fichiers',
  goInto: (account) => `Les fichiers appartiennent à ${account}.`,
  uploads: 'Importations',
  waiting: 'Attend le fichier précédent',
  sending: 'Importation…',
  tooLarge: (size, most) => `Il fait ${size} ; un fichier peut faire jusqu’à ${most}.`,
  empty: 'Il est vide.',
  remove: (file) => `Retirer ${file} de cette liste`,
  list: 'Fichiers importés',
  none: 'Aucun fichier de relevé pour le moment',
  noneText:
    'Après l’importation, vous voyez ce que contient le fichier avant que rien ne soit ajouté à un compte.',
  status: { uploaded: 'Pas encore repris', taken: 'Repris', delivered: 'Transmis', undone: 'Retiré' },
  uploaded: (ago) => `Importé ${ago}`,
  rowsIn: (rows, account) => `${counted(rows, 'ligne', 'lignes')} dans ${account}`,
  liveRows: (rows) => `${counted(rows, 'ligne écartée', 'lignes écartées')}, que la banque fournit elle-même`,
  deletedOn: (day) => `Suppression le ${day}`,
  deletedAfter: (days) =>
    days === 0
      ? 'Suppression dès la transmission'
      : `Suppression ${counted(days, 'jour', 'jours')} après la transmission`,
  keptForGood: 'Conservé jusqu’à ce que vous le supprimiez',
  review: 'Examiner',
  actionsOf: (file) => `Actions pour ${file}`,
  undo: 'Retirer les lignes',
  download: 'Télécharger',
  delete: 'Supprimer',
  failed: {
    upload: (file) => `${file} n’a pas été importé`,
    take: (file) => `${file} n’a pas été repris`,
    undo: (file) => `Les lignes de ${file} n’ont pas été retirées`,
    delete: (file) => `${file} n’a pas été supprimé`,
    download: (file) => `${file} n’a pas été téléchargé`,
    save: 'La modification n’a pas été enregistrée',
    preview: 'Le contenu du fichier ne peut pas être affiché',
  },
  done: {
    taken: (file) => `Repris : ${file}`,
    takenText: (rows) =>
      `${counted(rows, 'ligne est affichée', 'lignes sont affichées')} maintenant. Les synchronisations du compte démarrent.`,
    account: 'Afficher le compte',
  },
  deleting: {
    title: (file) => `Supprimer ${file} ?`,
    text: 'Le fichier est supprimé aussitôt. C’est irréversible.',
    rows: (rows) =>
      `${counted(rows, 'ligne reprise de ce fichier ne sera plus affichée', 'lignes reprises de ce fichier ne seront plus affichées')}, sauf si un autre fichier a la même. Les synchronisations les retirent ensuite aussi de vos destinations.`,
  },
};

export const STATEMENT_FILE: typeof english.STATEMENT_FILE = {
  plan: 'Ce qui va se passer',
  account: 'Appartient à',
  newAccount: 'Un nouveau compte',
  byNumber: 'Le compte dont le fichier indique le numéro',
  several: (accounts) =>
    `Le fichier contient ${counted(accounts, 'compte', 'comptes')}. Chacun va là où son numéro l’indique.`,
  retention: 'Supprimer le fichier',
  retentions: {
    atOnce: 'Dès qu’il est transmis',
    after: (days) => `${counted(days, 'jour', 'jours')} après sa transmission`,
    never: 'Seulement quand je le supprime',
  },
  reading: 'Lecture du fichier…',
  adds: (rows) =>
    rows === 0
      ? 'Rien n’est nouveau dans ce fichier.'
      : `${counted(rows, 'nouvelle ligne sera ajoutée', 'nouvelles lignes seront ajoutées')}.`,
  takeRows: 'Reprendre les lignes',
  take: (rows) =>
    rows === 0
      ? 'Le reprendre quand même'
      : `Reprendre ${counted(rows, 'nouvelle ligne', 'nouvelles lignes')}`,
  into: (account) => `Va dans ${account}`,
  alike: (account) =>
    `La plupart de ces opérations sont déjà dans ${account}. S’il s’agit du même compte, choisissez-le ci-dessus, sinon elles y seront en double.`,
  makes: 'Crée un nouveau compte',
  makesBeside: (account) =>
    `Crée un nouveau compte à côté de ${account}, pour ce que la banque ne fournit pas`,
  compared: (account) =>
    `${account} est aussi connecté à la banque : les lignes qu’elle fournit elle-même sont écartées.`,
  days: (from, to) => `${from} au ${to}`,
  counts: {
    new: 'Nouvelles',
    known: 'Dans un fichier précédent',
    live: 'Fournies par la banque',
    pending: 'Pas encore comptabilisées, écartées',
    unreadable: 'Illisibles',
  },
  rows: 'Lignes du fichier',
  firstRows: (shown, all) => `Les ${numberText(shown)} premières lignes sur ${numberText(all)}`,
  noRows: 'Aucune ligne ne peut être lue.',
  date: 'Date',
  description: 'Libellé',
  amount: 'Montant',
  outcome: 'Ce qui se passe',
  outcomes: {
    new: 'Est ajoutée',
    known: 'Connue d’un fichier précédent',
    live: 'Écartée : la banque la fournit',
  },
  unreadable: (rows) => `${counted(rows, 'ligne ne peut pas être lue', 'lignes ne peuvent pas être lues')}`,
  unreadableText: 'Elles sont écartées. S’il ne devrait pas y en avoir, corrigez la lecture du fichier.',
  unreadableRow: (row, what) => `Ligne ${numberText(row)} : ${what}`,
  unreadableFields: {
    date: 'aucune date lisible',
    amount: 'aucun montant lisible',
    row: 'ni date ni montant',
  },
  more: (rows) => `et ${numberText(rows)} de plus`,
  taken: 'Ce qui a été repris',
  takenNone: 'Rien : un autre fichier ou la banque a toutes les lignes.',
  takenAt: 'Repris',
  delivered: 'Transmis',
  notDelivered: 'Pas encore par toutes les synchronisations de son compte',
};

export const CSV_LAYOUT: typeof english.CSV_LAYOUT = {
  title: 'Comment les colonnes sont lues',
  hint: 'Déduit du fichier entier. Corrigez ce qui est faux : les lignes ci-dessous suivent, et le prochain fichier du même compte est lu de la même façon.',
  unguessed:
    'Les colonnes de ce fichier ne peuvent pas être déduites. Choisissez au-dessus de chacune ce qu’elle contient : une date, un libellé et un montant. Le prochain fichier du même compte est lu de la même façon.',
  doubts: 'Le fichier ne prouve pas tout cela. Vérifiez :',
  doubt: {
    columns: 'ce que contient chaque colonne',
    date_order: 'si le jour ou le mois vient en premier',
    decimal_sign: 'quel signe précède les décimales',
    direction: 'si les montants positifs sont entrés ou sortis',
  },
  delimiter: 'Entre les colonnes',
  delimiters: { comma: 'Virgule', semicolon: 'Point-virgule', tab: 'Tabulation', bar: 'Barre verticale' },
  skip: 'Lignes à ignorer',
  header: 'La première ligne nomme les colonnes',
  dateOrder: 'Ordre des dates',
  dateOrders: { ymd: 'Année, mois, jour', dmy: 'Jour, mois, année', mdy: 'Mois, jour, année' },
  decimalSign: 'Signe décimal',
  decimalSigns: { point: 'Point (1234.50)', comma: 'Virgule (1234,50)' },
  positive: 'Montants positifs',
  positives: { in: 'Entrés', out: 'Sortis' },
  firstRows: 'Premières lignes du fichier',
  column: (at) => `Colonne ${numberText(at)}`,
  holds: (column) => `Ce que contient ${column}`,
  notRead: 'Non lue',
  roles: {
    date: 'Date',
    description: 'Libellé',
    amount: 'Montant',
    debit: 'Sortie',
    credit: 'Entrée',
    direction: 'Entrée ou sortie',
    counterparty: 'Autre partie',
    value_date: 'Date de valeur',
    reference: 'Référence',
    currency: 'Devise',
    category: 'Catégorie',
    balance: 'Solde',
    account: 'Compte',
  },
  needs: (what) => `Reste à choisir : ${what}.`,
  need: { date: 'la colonne des dates', description: 'un libellé', amount: 'les montants' },
  guess: 'Revenir à la déduction',
};

export const ACCOUNT_FILES: typeof english.ACCOUNT_FILES = {
  title: 'Fichiers de relevés',
  text: 'Les lignes de ce compte viennent de fichiers que vous importez. Les fichiers n’ont pas de solde.',
  add: 'Ajouter un fichier',
  all: 'Tous les fichiers',
};
