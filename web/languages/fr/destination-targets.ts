import type { TargetKind } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destination-targets.ts';

type KindWords = (typeof english.TARGETS.kinds)[TargetKind];

/** Kinds of things at vendors, as people call them there. */
const KINDS: Readonly<Record<TargetKind, KindWords>> = {
  spreadsheet: {
    one: 'feuille de calcul',
    many: 'Feuilles de calcul',
    none: 'Aucune feuille de calcul à choisir',
    noneText:
      'Google ne montre à Tributary que les feuilles de calcul créées par Tributary ou que vous avez ouvertes avec lui. Créez-en plutôt une nouvelle.',
  },
  sheet: {
    one: 'onglet',
    many: 'Onglets',
    none: 'Aucun onglet dans cette feuille de calcul',
    noneText: 'Ajoutez un onglet à la feuille de calcul, puis actualisez la liste.',
  },
  database: {
    one: 'base de données',
    many: 'Bases de données',
    none: 'Aucune base de données à choisir',
    noneText:
      'Notion ne montre à Tributary que les pages que vous avez partagées avec lui. Partagez la page où se trouve la base de données, puis actualisez la liste.',
  },
  base: {
    one: 'base',
    many: 'Bases',
    none: 'Aucune base à choisir',
    noneText:
      'Créez une base chez Airtable, ou identifiez-vous à nouveau et cochez-la sur la page d’Airtable.',
  },
  table: {
    one: 'table',
    many: 'Tables',
    none: 'Aucune table ici',
    noneText: 'Créez-en plutôt une nouvelle.',
  },
  budget: {
    one: 'budget',
    many: 'Budgets',
    none: 'Aucun budget à choisir',
    noneText: 'Créez d’abord un budget là-bas, puis actualisez la liste.',
  },
  folder: {
    one: 'dossier',
    many: 'Dossiers',
    none: 'Aucun dossier à choisir',
    noneText: 'Créez-en plutôt un nouveau.',
  },
  schema: {
    one: 'schéma',
    many: 'Schémas',
    none: 'Aucun schéma à choisir',
    noneText:
      'Donnez à l’utilisateur de la base de données le droit d’utiliser un schéma, puis actualisez la liste.',
  },
};

/** Kinds of which one says `une`; of the others, `un`. */
const FEMININE = new Set([KINDS.spreadsheet, KINDS.database, KINDS.base, KINDS.table].map(({ one }) => one));
const a = (kind: string) => `${FEMININE.has(kind) ? 'une' : 'un'} ${kind}`;

/** Choosing where in a destination rows go. */
export const TARGETS: typeof english.TARGETS = {
  kinds: KINDS,
  how: 'Où les lignes doivent-elles aller ?',
  makeNew: (kind) =>
    `${FEMININE.has(kind) ? 'Une nouvelle' : kind === KINDS.sheet.one ? 'Un nouvel' : 'Un nouveau'} ${kind}`,
  existing: (kind) => `${FEMININE.has(kind) ? 'Une' : 'Un'} ${kind} qui existe déjà`,
  existingHint: 'Les colonnes manquantes sont ajoutées. Ce que vous y conservez reste en place.',
  name: 'Nom',
  defaultName: 'Tributary',
  nameMissing: 'Indiquez un nom.',
  holds: 'Contenu prévu',
  holdsChoices: {
    transactions: 'Transactions',
    holdings: 'Positions',
    trades: 'Opérations de bourse',
  },
  holdsHint: 'Les colonnes en dépendent.',
  make: (kind) => `Créer ${a(kind)}`,
  making: 'Cela peut prendre quelques secondes.',
  makeFailed: (kind) => `Impossible de créer ${a(kind)}`,
  makeFailedText:
    'Réessayez : si la création a tout de même eu lieu, elle est reconnue et n’est pas répétée.',
  inside: (kind) => `Dans ${FEMININE.has(kind) ? 'quelle' : 'quel'} ${kind} ?`,
  choose: (kind) => `Choisir ${a(kind)}`,
  chooseIn: (kind, name) => `Choisir ${a(kind)} dans « ${name} »`,
  chosen: (kind) => `Votre choix : ${kind}`,
  other: (kind) => `Choisir ${FEMININE.has(kind) ? 'une' : 'un'} autre ${kind}`,
  aim: (kind) => `Utiliser ${kind === KINDS.sheet.one ? 'cet' : FEMININE.has(kind) ? 'cette' : 'ce'} ${kind}`,
  aimFailed: 'L’emplacement n’a pas été défini',
  search: (many) => `Rechercher parmi les ${many.toLowerCase()}`,
  count: (shown, all) =>
    shown === all ? `${all} au choix` : `${counted(shown, 'résultat', 'résultats')} sur ${all}`,
  unmatched: 'Rien ne porte ce nom. Modifiez la recherche.',
  truncated: (count) => `Liste limitée à ${count}. Si un élément manque, supprimez-en ou archivez-en là-bas.`,
  again: 'Actualiser la liste',
  listFailed: (many) => `Liste indisponible : ${many}`,
  current: 'Utilisé actuellement',
};
