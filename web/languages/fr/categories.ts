import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/categories.ts';

const codes = (count: number) => counted(count, 'code', 'codes');
const categories = (count: number) => counted(count, 'catégorie', 'catégories');

export const CATEGORIES: typeof english.CATEGORIES = {
  title: 'Catégories',
  tabs: 'Catégories et règles',
  rules: 'Règles',
  intro:
    'Votre banque attribue un code à chaque transaction ; votre catégorie à laquelle ce code est rattaché est affichée. Les transactions ne sont pas modifiées : un nouveau rattachement est visible aussitôt, même pour l’année dernière.',
  newGroup: 'Nouveau groupe',
  addTo: (group) => `Nouvelle catégorie dans ${group}`,
  more: 'Autres actions',
  reset: 'Rétablir les catégories par défaut',
  showArchived: (count) => `Afficher les archives (${count})`,
  archived: 'Archivée',
  count: categories,
  noSources: 'Aucun code rattaché',
  sources: (names) => names.join(', '),
  emptyGroup: 'Ce groupe est encore vide. Ajoutez une catégorie ou faites-en glisser une ici.',
  onlyArchived: 'Tout le contenu de ce groupe est archivé.',
  none: 'Vous n’avez aucune catégorie',
  noneText:
    'Créez les catégories par défaut et adaptez-les à votre convenance, ou commencez par un groupe à vous.',
  createDefaults: 'Créer les catégories par défaut',
  wholeGroup: (name) => `Tout le groupe ${name}`,
  gone: 'Une catégorie supprimée',
  actionsOf: (name) => `Actions pour ${name}`,
  actions: {
    edit: 'Modifier',
    claims: 'Choisir les codes',
    up: 'Monter',
    down: 'Descendre',
    move: 'Déplacer vers un groupe',
    archive: 'Archiver',
    restore: 'Restaurer',
    delete: 'Supprimer',
  },
  done: {
    archived: (name) => `La catégorie « ${name} » a été archivée`,
    archivedText:
      'Elle est masquée ici. Ses codes lui restent rattachés et ses transactions y restent classées.',
    restored: (name) => `La catégorie « ${name} » a été restaurée`,
    restoredText: 'Elle est de nouveau affichée.',
    deleted: (name) => `Suppression effectuée : « ${name} »`,
    released: 'Ses codes sont de nouveau libres.',
    reassigned: (name) => `Ses codes sont désormais rattachés à « ${name} ».`,
    claimed: (name, count) => `« ${name} » : ${counted(count, 'code rattaché', 'codes rattachés')}`,
    claimedText: 'Les transactions portant ces codes affichent désormais cette catégorie.',
    taken: (names) => `Codes détachés de : ${names.join(', ')}.`,
    reset: 'Les catégories par défaut sont rétablies',
    resetText:
      'Toutes les catégories sont nouvelles. Vérifiez les règles qui définissent ou recherchent une catégorie.',
  },
  failed: {
    move: (name) => `Impossible de déplacer « ${name} »`,
    change: (name) => `Impossible de modifier « ${name} »`,
    archive: (name) => `Impossible d’archiver « ${name} »`,
    restore: (name) => `Impossible de restaurer « ${name} »`,
    create: (name) => `Impossible de créer « ${name} »`,
    delete: (name) => `Impossible de supprimer « ${name} »`,
    claim: (name) => `Les codes de « ${name} » n’ont pas été modifiés`,
    reset: 'Rien n’a été rétabli',
    codes: 'Les codes n’ont pas pu être chargés',
  },
  resetting: {
    title: 'Rétablir les catégories par défaut ?',
    text: (count) =>
      count === 0
        ? 'Les catégories par défaut sont créées, avec les codes qui leur sont rattachés.'
        : `${counted(count, 'catégorie est supprimée', 'catégories sont supprimées')} avec leurs rattachements, et celles par défaut sont créées à la place. Cette action est irréversible.`,
    rules:
      'Les règles qui mentionnent une de vos catégories cessent de s’appliquer, car les nouvelles ont d’autres identifiants.',
    action: 'Rétablir',
  },
};

export const DRAGGING: typeof english.DRAGGING = {
  grip: (name) => `Déplacer ${name}`,
  hint: 'Appuyez sur Espace pour saisir, sur les flèches pour déplacer, sur Espace pour déposer, sur Échap pour annuler.',
  lifted: (name, place) => `Saisi : ${name}. ${place} Déplacez avec les flèches.`,
  dropped: (name, place) => `Déposé : ${name}. ${place}`,
  cancelled: (name, place) => `Retour à sa place : ${name}. ${place}`,
  place: (at, of, group) => `Position ${at} sur ${of} dans ${group}.`,
  groupPlace: (at, of) => `Groupe ${at} sur ${of}.`,
};

export const CATEGORY_FORM: typeof english.CATEGORY_FORM = {
  editCategory: (name) => `Modifier « ${name} »`,
  newGroup: 'Nouveau groupe',
  newCategory: (group) => `Nouvelle catégorie dans ${group}`,
  name: 'Nom',
  icon: 'Icône',
  iconHint: 'Un emoji ou quelques lettres.',
  icons: 'Icônes proposées',
  color: 'Couleur',
  otherColor: 'Autre couleur',
  colors: {
    '#2f9e44': 'Vert',
    '#1971c2': 'Bleu',
    '#0c8599': 'Bleu canard',
    '#e8590c': 'Orange',
    '#c2255c': 'Rose',
    '#9c36b5': 'Violet',
    '#495057': 'Ardoise',
    '#868e96': 'Gris',
  },
  create: 'Créer',
};

export const MOVING: typeof english.MOVING = {
  title: (name) => `Déplacer « ${name} » vers un groupe`,
  group: 'Groupe',
  action: 'Déplacer',
  hint: 'La catégorie est placée à la fin du groupe.',
};

export const DELETING: typeof english.DELETING = {
  title: (name) => `Supprimer « ${name} » ?`,
  cannot:
    'Cette action est irréversible. Pour masquer la catégorie tout en conservant ses codes, archivez-la plutôt.',
  holds: (count) => `Ce groupe contient ${categories(count)}.`,
  cascade: (count) => `Supprimer aussi ce qu’il contient (${categories(count)})`,
  claims: (count) => `${counted(count, 'code est rattaché', 'codes sont rattachés')} ici.`,
  after: 'Que faire des codes',
  release: 'Les détacher',
  releaseHint: 'Leurs transactions reviennent à la catégorie du code principal, ou à aucune.',
  reassign: 'Les rattacher à une autre catégorie',
  target: 'Catégorie qui les reprend',
  rules: 'Les règles qui la mentionnent cessent de s’appliquer.',
  action: 'Supprimer',
};

export const CLAIMS: typeof english.CLAIMS = {
  title: (name) => `Codes de « ${name} »`,
  intro:
    'Les transactions portant ces codes sont classées dans cette catégorie. Chaque code est rattaché à une seule catégorie au plus.',
  search: 'Rechercher des codes',
  codes: 'Codes du fournisseur',
  none: 'Aucun code ne correspond.',
  left: (count) =>
    count === 0
      ? null
      : count === 1
        ? 'Un code a été modifié ailleurs entre-temps et reste tel quel.'
        : `${codes(count)} ont été modifiés ailleurs entre-temps et restent tels quels.`,
  heldBy: (name) => `Actuellement dans ${name}`,
  here: 'Dans cette catégorie',
  follows: (name) => `Revient à ${name}`,
  free: 'Dans aucune catégorie',
  chosen: (count) => counted(count, 'code choisi', 'codes choisis'),
  takes: (list) => `Codes détachés à l’enregistrement : ${list.join(', ')}.`,
  takesFrom: (count, name) => `${codes(count)} de « ${name} »`,
  save: 'Enregistrer les codes',
};

export const UNCLAIMED: typeof english.UNCLAIMED = {
  title: 'Codes dans aucune catégorie',
  every: 'Chaque code mène à l’une de vos catégories.',
  text: 'Les transactions portant ces codes n’affichent aucune catégorie. Choisissez une catégorie à laquelle les rattacher.',
  count: codes,
  claimFor: (label) => `Catégorie pour ${label}`,
  choose: 'Choisir une catégorie',
  action: 'Rattacher',
  claim: (label) => `Rattacher ${label}`,
};
