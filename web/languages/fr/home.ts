import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/home.ts';

export const HOME: typeof english.HOME = {
  title: 'Accueil',
  balances: 'Soldes',
  observed: (ago) => `Dernier relevé : ${ago}`,
  net: (currency) => `Soldes en ${currency}, moins les dettes`,
  noBalance: 'Aucun solde',
  investments: 'Placements',
  investmentsText:
    'Aux cours actuels des courtiers ; les liquidités détenues chez un courtier ne sont pas comptées.',
  investmentsLocked:
    'Votre formule ne comprend pas les données de courtage : ce que vous détenez chez des courtiers n’est donc pas compté ici.',
  notRead: (count) =>
    `${counted(count, 'autre compte n’est pas lu', 'autres comptes ne sont pas lus')} ici ; voir les positions.`,
  holdings: 'Voir les positions',
  unavailable: 'Lecture impossible pour le moment',
  lacks: (accounts) => `Sans ${listText(accounts)}, dont la lecture est impossible pour le moment.`,
  none: 'Bienvenue dans Tributary',
  noneText:
    'Connectez une banque pour voir ses soldes ici et copier ses transactions là où vous travaillez avec elles.',
  begin: 'Me montrer comment faire',
  allUnavailable: 'Aucun de vos comptes n’a pu être lu à l’instant.',
  attention: 'À traiter',
  attentionCount: (count) => counted(count, 'élément', 'éléments'),
  showAll: (count) => `Tout afficher (${count})`,
  showFewer: 'Afficher moins',
  sign: {
    notCounted: 'Pas encore compté',
    question:
      'Ce montant est-il dû, ou est-il en votre faveur ? Votre banque ne le précise pas ; tant que vous ne l’indiquez pas, il n’est pas compté.',
    owed: 'Je dois ce montant',
    in_credit: 'Il est en ma faveur',
    of: (answer, account) => `${answer} : ${account}`,
    failed: 'La réponse n’a pas été enregistrée',
  },
  runs: 'Exécutions récentes',
  noRuns: 'Aucune synchronisation n’a encore été exécutée.',
  createSync: 'Copiez vos comptes là où vous travaillez avec eux',
  run: {
    queued: 'En attente',
    running: 'En cours',
    succeeded: 'Réussie',
    failed: 'Échec',
    cancelled: 'Annulée',
  },
  delivered: (added, updated) =>
    added === 0 && updated === 0
      ? 'Rien de nouveau'
      : `${counted(added, 'ligne ajoutée', 'lignes ajoutées')}${updated === 0 ? '' : `, ${counted(updated, 'ligne mise à jour', 'lignes mises à jour')}`}`,
  runRejected: (count) => counted(count, 'ligne rejetée', 'lignes rejetées'),
  connection: {
    expiring: (days) =>
      days < 1
        ? 'Le consentement prend fin aujourd’hui'
        : `Le consentement prend fin dans ${counted(days, 'jour', 'jours')}`,
    expired: 'Le consentement a pris fin ; plus rien n’est lu',
    invalidated: 'L’accès accordé ne fonctionne plus',
  },
  sync: {
    destination_auth_expired: 'La destination n’accepte plus l’identification',
    destination_resource_missing: 'L’emplacement n’existe plus à la destination',
    destination_disabled: 'La destination a été désactivée après trop d’échecs',
    connection_lost: 'Une banque qu’elle lit a été supprimée',
    consent_expired: 'Le consentement d’une banque qu’elle lit a pris fin',
    account_unavailable: 'La banque ne liste plus un compte qu’elle lit',
    data_invalid: 'La banque a envoyé des données illisibles',
    run_failed: 'La dernière exécution a échoué',
  },
  linkedTwice: (name, more) =>
    more === 0
      ? `${name} est connecté deux fois`
      : `${name} et ${counted(more, 'autre compte', 'autres comptes')} sont connectés deux fois`,
  linkedTwiceText:
    'Les totaux ne le comptent qu’une fois. Supprimez cette seconde connexion si vous n’avez pas besoin des deux.',
  rejected: (count) =>
    count === 1
      ? '1 ligne de la dernière exécution n’a pas pu être livrée'
      : `${count} lignes de la dernière exécution n’ont pas pu être livrées`,
  unread: (count) =>
    counted(
      count,
      'ligne n’a pas pu être lue et manque dans les chiffres',
      'lignes n’ont pas pu être lues et manquent dans les chiffres',
    ),
  seeRows: 'Voir pourquoi',
  destination: {
    incomplete: 'Configuration à terminer',
    reauth_required: 'La destination n’accepte plus l’identification ; plus rien n’y est écrit',
    disabled: 'Désactivée après trop de livraisons échouées ; plus rien ne lui est envoyé',
  },
  events: {
    failing: 'Les événements ne sont plus envoyés : les livraisons ont échoué pendant des jours',
    gone: 'Les événements ne sont plus envoyés : le récepteur a répondu qu’il n’existe plus',
  },
  runAgain: 'Relancer',
  open: 'Ouvrir',
  finish: 'Terminer',
  connect: 'Reconnecter',
  enable: 'Réactiver',
  notConnected: (name) => `Impossible de connecter ${name} pour le moment`,
  notEnabled: (name) => `La destination « ${name} » n’a pas été activée`,
  failed: (name) => `La synchronisation « ${name} » n’a pas démarré`,
};
