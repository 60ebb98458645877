import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-runs.ts';

const addedWords = (count: number) => counted(count, 'ligne ajoutée', 'lignes ajoutées');
const updatedWords = (count: number) => counted(count, 'ligne mise à jour', 'lignes mises à jour');

/** One run of a sync. */
export const SYNC_RUN: typeof english.SYNC_RUN = {
  unknownFailure: (code) => `Lecture impossible (${code}).`,
  title: (name) => `Exécution : ${name}`,
  plainTitle: 'Exécution',
  back: 'Synchronisations',
  status: {
    queued: 'En attente',
    running: 'En cours',
    succeeded: 'Réussie',
    failed: 'Échec',
    cancelled: 'Annulée',
  },
  trigger: {
    schedule: 'planifiée',
    api: 'par l’API',
    dashboard: 'lancée ici',
    webhook: 'demandée par la banque',
    resync: 'resynchronisation',
  },
  started: 'Début',
  ended: 'Fin',
  took: 'Durée',
  by: 'Lancement',
  days: 'Jours',
  range: (from, to) => `Du ${from} au ${to}`,
  queuedFor: 'En attente depuis',
  live: 'En direct',
  polling: 'Actualisé toutes les quelques secondes',
  counts: 'Lignes',
  count: {
    processed: 'Lues',
    added: 'Ajoutées',
    updated: 'Mises à jour',
    rejected: 'Rejetées',
    skipped_by_rules: 'Ignorées par des règles',
  },
  rejectedText:
    'Les lignes rejetées n’ont pas pu être lues à la banque, ou la destination ne peut pas les recevoir telles quelles. Elles sont retentées quand elles changent.',
  accounts: 'Comptes',
  account: {
    waiting: 'En attente',
    succeeded: 'Livré',
    failed: 'Échec',
    incomplete: 'Incomplet',
  },
  incompleteText:
    'Livraison encore incomplète : l’exécution s’est terminée avant, ou la banque charge encore son historique. La prochaine exécution poursuit.',
  unchanged: 'Rien de nouveau',
  rejected: (rows) => counted(rows, 'ligne rejetée', 'lignes rejetées'),
  othersUpToDate: 'Tout le reste était déjà à jour.',
  line: (added, updated) =>
    [added === 0 ? '' : addedWords(added), updated === 0 ? '' : updatedWords(updated)]
      .filter((part) => part !== '')
      .join(', '),
  read: (rows) => counted(rows, 'ligne lue', 'lignes lues'),
  progress: {
    queued: 'L’exécution attend son tour. Vous pouvez quitter cette page ; l’exécution se poursuit.',
    running:
      'Les lignes sont lues à la banque et livrées. Vous pouvez quitter cette page ; l’exécution se poursuit.',
  },
  cancel: 'Annuler l’exécution',
  cancelFailed: 'L’exécution n’a pas été annulée',
  cancelled:
    'Cette exécution a été annulée. Ce qu’elle avait déjà livré est acquis ; la prochaine exécution reprend à partir de là.',
  succeeded: (added, updated) =>
    added + updated === 0
      ? 'Tout était déjà à jour.'
      : `${[addedWords(added), ...(updated === 0 ? [] : [updatedWords(updated)])].join(', ')}.`,
  rows: (where) => `Ouvrir ${where}`,
  deliveries: 'Livraisons de ce webhook',
  destination: 'Aller à la destination',
  sync: 'Aller à la synchronisation',
  runAgain: 'Relancer',
  noLines: 'Aucun compte n’a encore été lu.',
};

export const RUN_FAILURES_TEXT: typeof english.RUN_FAILURES_TEXT = {
  destination_auth_failed: {
    title: 'La destination n’accepte plus l’identification',
    text: 'L’accès y a été retiré ou a expiré. Reconnectez la destination ; la prochaine exécution livre ce qui est en attente.',
  },
  destination_resource_missing: {
    title: 'L’emplacement de la synchronisation n’existe plus',
    text: 'La feuille de calcul, l’onglet, la table ou le budget a été supprimé, a été renommé ou n’est plus partagé. Rétablissez-le là-bas ou choisissez un autre emplacement, puis relancez la synchronisation.',
  },
  rate_limited: {
    title: 'La destination ou la banque n’autorisait plus de requêtes',
    text: 'L’exécution s’est arrêtée et sera automatiquement retentée. Ce qui a été livré le reste.',
  },
  timeout: {
    title: 'L’exécution a duré trop longtemps',
    text: 'Elle sera automatiquement retentée et reprendra après ce qui a été livré. Si cela se reproduit, copiez moins de comptes ou choisissez un premier jour plus récent.',
  },
  superseded: {
    title: 'Une resynchronisation a pris sa place',
    text: 'Quelqu’un a demandé de tout renvoyer, ce qui a mis fin à cette exécution. Vous n’avez rien à faire.',
  },
  run_failed: {
    title: 'L’exécution a échoué',
    text: 'Une banque n’a pas pu être lue, ou la destination n’a pas accepté les lignes. Le détail par compte ci-dessous en dit plus. L’exécution sera automatiquement retentée.',
  },
};

export const ACCOUNT_FAILURES: typeof english.ACCOUNT_FAILURES = {
  upstream_auth_failed:
    'La banque n’accepte plus l’identification, ou le consentement a pris fin. Renouvelez la connexion.',
  upstream_rate_limited:
    'La banque n’autorise plus de requêtes pour le moment. Une nouvelle tentative aura lieu automatiquement.',
  upstream_timeout:
    'La banque a mis trop de temps à répondre. Une nouvelle tentative aura lieu automatiquement.',
  upstream_unavailable:
    'La banque n’est pas disponible actuellement. Une nouvelle tentative aura lieu automatiquement.',
  upstream_failed:
    'La banque a signalé une erreur de son côté. Une nouvelle tentative aura lieu automatiquement.',
  upstream_bad_request: 'La banque a refusé la requête. Si cela se reproduit, vérifiez la connexion.',
  provider_wait:
    'La banque a demandé d’attendre avant d’être lue de nouveau. Une nouvelle tentative aura lieu automatiquement.',
  gateway_unavailable:
    'La liaison avec la banque n’était pas disponible. Une nouvelle tentative aura lieu automatiquement.',
  account_unavailable:
    'La banque ne liste plus ce compte. Retirez-le de la synchronisation, ou partagez-le de nouveau à la banque.',
  professional_required: 'Votre formule ne comprend pas les positions ni les opérations de bourse.',
  resource_missing: 'Le compte n’est plus ici. Retirez-le de la synchronisation.',
  internal_error:
    'Un problème inattendu est survenu dans le service. Une nouvelle tentative aura lieu automatiquement.',
};

/** Fields with the article that sentences need. */
const FIELDS: Readonly<Record<SetAsideField, string>> = {
  id: 'l’identifiant',
  account: 'le compte',
  amount: 'le montant',
  currency: 'la devise',
  date: 'la date',
  trade_date: 'la date',
  symbol: 'le titre',
  quantity: 'la quantité',
  price: 'le cours',
  total_amount: 'le montant',
  row: 'la ligne',
};

const REASONS: Readonly<Record<SetAsideReason, (what: string) => string>> = {
  missing: (what) => `La banque n’a pas envoyé ${what}.`,
  unreadable: (what) => `La banque a envoyé des données illisibles pour ${what}.`,
  out_of_range: (what) => `La banque a envoyé une valeur hors limites pour ${what}.`,
  too_long: (what) => `La banque a envoyé une valeur trop longue pour ${what}.`,
  contradictory: (what) => `La banque a envoyé deux valeurs différentes pour ${what}.`,
  other_account: () => 'La ligne désigne un autre compte.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'Le montant a plus de chiffres ou de décimales que la destination n’en accepte.',
  other_currency: 'La devise n’est pas celle de la destination.',
  day_not_taken: 'La destination n’accepte pas la date.',
  too_large: 'La ligne est plus volumineuse que ce que la destination accepte.',
  refused: 'La destination a refusé la ligne.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: string) => string>(Object.entries(REASONS));
const names = new Map<string, string>(Object.entries(FIELDS));

export const REJECTED_ROWS: typeof english.REJECTED_ROWS = {
  title: 'Lignes rejetées',
  dismiss: 'Ne plus les signaler dans l’accueil',
  dismissed: 'L’accueil ne signale plus ces lignes',
  dismissedText: 'Dans ce navigateur, et jusqu’à ce qu’une exécution rejette d’autres lignes.',
  noDay: 'Sans date',
  noId: 'Sans identifiant',
  why: ({ origin, field, reason }) => {
    const what = names.get(field ?? 'row') ?? FIELDS.row;
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(what);
  },
  more: (count) =>
    `${counted(count, 'autre ligne n’est pas listée', 'autres lignes ne sont pas listées')} ici.`,
};
