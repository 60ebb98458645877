import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/syncs.ts';

const quoted = (names: readonly string[]) => names.map((name) => `« ${name} »`).join(' et ');

export const SYNCS: typeof english.SYNCS = {
  title: 'Synchronisations',
  create: 'Nouvelle synchronisation',
  none: 'Rien n’est encore copié',
  noneText:
    'Une synchronisation copie des transactions, des positions ou des opérations de bourse vers une feuille de calcul, une application de budget, une base de données ou un webhook, et les tient à jour.',
  noneLinked:
    'Connectez d’abord une banque. Vous pourrez ensuite copier ses transactions là où vous travaillez avec elles.',
  link: 'Connecter une banque',
  type: { transactions: 'Transactions', holdings: 'Positions', trades: 'Opérations de bourse' },
  copies: (what, count, where) => `${what} de ${counted(count, 'compte', 'comptes')} vers ${where}`,
  status: {
    running: 'En cours',
    attention: 'À vérifier',
    idle: 'À jour',
    paused: 'En pause',
    fresh: 'Pas encore exécutée',
  },
  ran: (ago) => `Dernière exécution : ${ago}`,
  never: 'Pas encore exécutée',
  next: (when) => `prochaine : ${when}`,
  noNext: 'ne s’exécute pas tant qu’elle est en pause',
  run: 'Lancer maintenant',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  actionsOf: (name) => `Actions pour ${name}`,
  delete: 'Supprimer',
  follow: 'Suivre l’exécution',
  look: 'Voir ce qui s’est passé',
  failed: {
    run: (name) => `La synchronisation « ${name} » n’a pas démarré`,
    pause: (name) => `La synchronisation « ${name} » n’a pas été mise en pause`,
    resume: (name) => `La synchronisation « ${name} » n’a pas repris`,
    delete: (name) => `La synchronisation « ${name} » n’a pas été supprimée`,
    resync: (name) => `La resynchronisation de « ${name} » n’a pas démarré`,
    backfill: (name) => `Le rattrapage de ces jours n’a pas démarré pour « ${name} »`,
    save: 'Le changement n’a pas été enregistré',
  },
  done: {
    pause: (name) => `La synchronisation « ${name} » est en pause`,
    pauseText: 'Elle s’exécute de nouveau quand vous la reprenez. Une exécution en cours a été annulée.',
    resume: (name) => `La synchronisation « ${name} » a repris`,
    resumeText: 'Elle s’exécute à sa prochaine heure prévue, ou quand vous la lancez.',
    run: (name) => `La synchronisation « ${name} » est en cours`,
    runText: 'Les lignes nouvelles et modifiées arrivent à la destination pendant l’exécution.',
  },
  deleting: {
    title: (name) => `Supprimer la synchronisation « ${name} » ?`,
    does: 'Cette action est irréversible. Elle va :',
    history: 'supprimer la synchronisation avec ses paramètres et l’historique de ses exécutions',
    stops: 'mettre fin à une exécution en cours',
    stays: (where) =>
      `Les lignes livrées restent dans « ${where} », et la destination et les jeux de règles sont conservés.`,
    again:
      'Si vous configurez plus tard une autre synchronisation vers la même destination, elle retrouve les lignes par leur identifiant et n’en ajoute aucune en double, là où la destination permet de les rechercher.',
  },
};

export const ATTENTION: typeof english.ATTENTION = {
  destination_auth_expired: {
    title: 'La destination n’accepte plus l’identification',
    text: 'Rien n’est livré tant que vous ne la reconnectez pas. Les lignes en attente seront alors livrées ; aucune n’est perdue.',
    action: 'La reconnecter',
  },
  destination_resource_missing: {
    title: 'L’emplacement de cette synchronisation n’existe plus',
    text: 'La feuille de calcul, l’onglet, la table ou le budget a été supprimé ou n’est plus partagé. Rétablissez-le là-bas, ou choisissez un autre emplacement.',
    action: 'Choisir un autre emplacement',
  },
  destination_disabled: {
    title: 'La destination a été désactivée après trop d’échecs',
    text: 'Vérifiez ce qui reçoit les lignes, puis réactivez la destination.',
    action: 'Aller à la destination',
  },
  connection_lost: {
    title: 'Une banque que lit cette synchronisation a été supprimée',
    text: 'Retirez ses comptes de la synchronisation, ou reconnectez la banque et choisissez ses comptes.',
    action: 'Modifier les comptes',
  },
  consent_expired: {
    title: 'Le consentement d’une banque que lit cette synchronisation a pris fin',
    text: 'Renouvelez-le à la banque. La prochaine exécution lit alors tout ce qui s’est passé entre-temps.',
    action: 'Renouveler le consentement',
  },
  account_unavailable: {
    title: 'La banque ne liste plus un compte de cette synchronisation',
    text: 'Il est peut-être clôturé, ou n’est plus partagé. Retirez-le de la synchronisation, ou partagez-le de nouveau à la banque.',
    action: 'Modifier les comptes',
  },
  data_invalid: {
    title: 'La banque a envoyé des données qui ne concordent pas avec les précédentes',
    text: 'Rien n’a été retiré à la destination. Tout est relu chaque jour jusqu’à ce que les données concordent ; vous n’avez rien à faire.',
    action: 'Voir la dernière exécution',
  },
  run_failed: {
    title: 'La dernière exécution a échoué',
    text: 'Elle sera automatiquement retentée. Voyez ce qui s’est passé, ou lancez-la maintenant.',
    action: 'Lancer maintenant',
  },
};

export const SYNC_WARNINGS: typeof english.SYNC_WARNINGS = {
  same_account_twice: {
    title: 'Un compte bancaire figure plusieurs fois dans cette synchronisation',
    text: (names) =>
      `${quoted(names)} désignent le même compte à la banque, connecté plusieurs fois. Chacune de ses transactions est livrée une fois pour chacun d’eux. Si vous ne le souhaitez pas, n’en gardez qu’un dans la synchronisation.`,
    action: 'Modifier les comptes',
  },
};

export const SYNC: typeof english.SYNC = {
  overview: 'Vue d’ensemble',
  from: 'De',
  to: 'Vers',
  schedule: 'Fréquence',
  last: 'Dernière exécution',
  next: 'Prochaine exécution',
  since: 'Lignes depuis',
  sinceDay: (day) => `Lignes depuis le ${day}`,
  ruleset: 'Règles',
  noRuleset: 'Aucune',
  paused: 'En pause',
  anyTime: 'Non planifiée',
  history: 'Historique des exécutions',
  historyAside: 'Les 90 derniers jours',
  allRuns: 'Toutes',
  filter: 'Afficher les exécutions',
  noRuns: 'Cette synchronisation n’a pas encore été exécutée.',
  noRunsOf: 'Aucune exécution de ce type ces 90 derniers jours.',
  settings: 'Paramètres',
  change: 'Modifier',
  changeOf: (what) => `Modifier : ${what.toLowerCase()}`,
  name: 'Nom',
  nameMissing: 'Indiquez un nom.',
  accounts: 'Comptes',
  accountsAndPlaces: 'Comptes et emplacements',
  categories: 'Correspondance des catégories',
  columns: 'Colonnes',
  options: 'Contenu copié',
  standardColumns: 'Les colonnes standard',
  categoriesMapped: (count) =>
    count === 0
      ? 'Aucune correspondance'
      : counted(count, 'catégorie avec correspondance', 'catégories avec correspondance'),
  fixed:
    'Le type de données copiées, la destination et le choix d’un emplacement par compte ne peuvent pas changer. Pour les changer, supprimez cette synchronisation et créez-en une autre.',
  saved: 'Enregistré',
  savedText: 'La prochaine exécution tient compte du changement.',
  more: 'Plus',
  tools: 'Vérifier et réparer',
  toolsText: {
    dryRun: 'Que ferait la prochaine exécution ? Lit à la banque et n’écrit rien.',
    verify: 'La destination montre-t-elle ce qu’a la banque ? Compare ligne par ligne et n’écrit rien.',
    backfill: 'Relire certains jours et livrer ce qui manque ou a changé là-bas.',
    resync: 'Oublier ce qui a été livré et tout renvoyer.',
    export: 'Emporter les lignes dans un fichier, telles que cette synchronisation les livre.',
  },
  dryRun: 'Simulation',
  verify: 'Vérification',
  backfill: 'Rattrapage de jours',
  resync: 'Resynchronisation',
  export: 'Export',
};

export const RESYNC: typeof english.RESYNC = {
  title: (name) => `Renvoyer toutes les lignes de « ${name} » ?`,
  does: (day) => `Tout ce qui date du ${day} ou d’après est lu à la banque et renvoyé :`,
  known:
    'Les lignes présentes à la destination sont retrouvées par leur identifiant et réécrites. Vos modifications dans les colonnes de cette synchronisation sont perdues.',
  webhook:
    'Le webhook reçoit de nouveau toutes les lignes. Un récepteur qui ne retient pas les identifiants les aura en double.',
  run: 'Une exécution en cours se termine d’abord.',
  action: 'Tout renvoyer',
};

export const BACKFILL: typeof english.BACKFILL = {
  title: 'Rattrapage de jours',
  intro:
    'Relit ces jours à la banque et livre les lignes qui manquent ou ont changé là-bas. Rien n’est retiré.',
  from: 'Du',
  to: 'Au',
  hint: (day) => `Pas avant le ${day}, premier jour de cette synchronisation.`,
  order: 'Le premier jour ne doit pas être après le dernier.',
  action: 'Rattraper ces jours',
};

export const EXPORT: typeof english.EXPORT = {
  title: 'Exporter les lignes',
  intro:
    'Lues en direct à votre banque, après application des catégories et des règles, telles que cette synchronisation les livre.',
  format: 'Format',
  formats: {
    csv: 'CSV, pour les tableurs',
    ofx: 'OFX, pour les logiciels de comptabilité',
    ofx1: 'OFX 1.02, pour les logiciels qui ne lisent pas de version plus récente',
    qif: 'QIF, pour les logiciels qui ne lisent pas OFX',
    jsonl: 'JSON Lines, pour les programmes',
  },
  from: 'Du',
  to: 'Au',
  fromHint: 'Vide : à partir du premier jour de la synchronisation',
  toHint: 'Vide : jusqu’à aujourd’hui',
  bom: 'Marquer le fichier comme UTF-8 (pour les anciennes versions d’Excel)',
  action: 'Télécharger',
  reading: (size) => `Lecture… ${size} jusqu’ici`,
  stop: 'Arrêter',
  done: (name) => `Le fichier ${name} est téléchargé`,
  failed: 'Le fichier n’a pas pu être lu en entier : rien n’a donc été enregistré',
};

export const RUN_CHART: typeof english.RUN_CHART = {
  label: (count) => `Dernières exécutions (${count})`,
  description: (count, failed, most, longest) =>
    `${counted(count, 'exécution', 'exécutions')}, ${failed === 0 ? 'aucun échec' : counted(failed, 'échec', 'échecs')}. Au plus ${counted(most, 'ligne', 'lignes')} et ${longest} par exécution.`,
  run: (at, status, rows, duration) => `${at} : ${status}, ${counted(rows, 'ligne', 'lignes')}, ${duration}`,
  rows: 'Lignes',
  duration: 'Durée',
  started: 'Début',
  status: 'État',
  mark: '×',
};
