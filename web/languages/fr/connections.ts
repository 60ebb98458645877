import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/connections.ts';

export const CONNECTIONS: typeof english.CONNECTIONS = {
  title: 'Connexions',
  link: 'Connecter une banque',
  none: 'Aucune banque n’est encore connectée',
  noneText:
    'Connectez une banque ou un courtier, une seule fois. Avant tout partage, vous voyez qui reçoit vos données et lesquelles, et vous pouvez y mettre fin à tout moment.',
  actionsOf: (bank) => `Actions pour ${bank}`,
  reauthorize: 'Réautoriser',
  refresh: 'Actualiser',
  delete: 'Supprimer',
  open: 'Détails et consentements',
  accounts: (count) => counted(count, 'compte', 'comptes'),
  noAccounts: 'Aucun compte n’est encore listé.',
  settling: 'Récupération de la liste des comptes…',
  refreshed: (ago) => `Dernière actualisation : ${ago}`,
  neverRefreshed: 'Pas encore actualisée',
  until: (day) => `Consentement jusqu’au ${day}`,
  endless: 'Consentement sans limite',
  unavailable: 'N’est plus listé',
  linkedTwice: 'Connecté deux fois',
  countedOnce: 'connecté deux fois, compté une fois',
  notInTotals: 'hors totaux',
  status: {
    pending: 'En cours de mise en place',
    active: 'Connectée',
    expiring: 'Expire bientôt',
    expired: 'Consentement expiré',
    revoked: 'Supprimée',
  },
  daysLeft: (days) => (days < 1 ? 'Expire aujourd’hui' : `Expire dans ${counted(days, 'jour', 'jours')}`),
  type: {
    transaction: 'Compte courant',
    savings: 'Épargne',
    'credit-card': 'Carte de crédit',
    loan: 'Prêt',
    investment: 'Placement',
    'term-deposit': 'Dépôt à terme',
    other: 'Autre',
  },
  refreshing: {
    justNow: (bank) => `${bank} : nouvelle lecture à l’instant`,
    recent: (ago, again) => `Dernière actualisation : ${ago}. Prochaine lecture possible : ${again}.`,
    balances: (read, all) =>
      read === all ? `${counted(read, 'solde lu', 'soldes lus')}.` : `Soldes lus : ${read} sur ${all}.`,
    runs: (runs) =>
      runs === 0
        ? 'Aucune synchronisation activée ne lit cette banque.'
        : `${counted(runs, 'synchronisation lancée', 'synchronisations lancées')}. Une exécution en cours se poursuit.`,
  },
  failed: {
    reauthorize: (bank) => `Impossible de réautoriser la connexion à ${bank} pour le moment`,
    refresh: (bank) => `Impossible d’actualiser la connexion à ${bank}`,
    delete: (bank) => `Impossible de supprimer la connexion à ${bank}`,
  },
  deleting: {
    title: (bank) => `Supprimer la connexion à ${bank} ?`,
    does: 'Cette action est irréversible. Elle va :',
    accounts: (count) => `retirer ${counted(count, 'compte', 'comptes')} de Tributary`,
    stops: (names) =>
      `arrêter ${names.length === 1 ? 'la synchronisation' : 'les synchronisations'} ${names.map((name) => `« ${name} »`).join(', ')}`,
    looking: 'arrêter les synchronisations qui la lisent ; recherche en cours…',
    unknown: 'arrêter toutes les synchronisations qui la lisent',
    syncsFailed: 'Impossible de déterminer quelles synchronisations la lisent',
    stays: 'Ce qui a été livré à vos destinations y reste.',
  },
};

export const LINKED: typeof english.LINKED = {
  bank: 'banque',
  completed: (what) => `La connexion avec votre ${what.toLowerCase()} est établie`,
  completedText: 'Les comptes apparaissent ci-dessous dès que la liste est disponible.',
  twice: 'Ces comptes sont déjà connectés',
  twiceText:
    'Une autre connexion les apporte aussi. Les totaux ne les comptent qu’une fois ; supprimez l’une des deux si vous n’avez pas besoin des deux.',
  failed: (what) => `La connexion avec votre ${what.toLowerCase()} n’a pas été établie`,
  unknown: 'Rien n’a été partagé. Vous pouvez recommencer à tout moment.',
  reasons: {
    consent_denied: 'Le consentement a été refusé à la banque. Rien n’a été partagé.',
    cancelled: 'Vous avez annulé. Rien n’a été partagé.',
    authentication_failed: 'La banque n’a pas pu vous identifier. Rien n’a été partagé.',
    timeout: 'La banque a mis trop de temps à répondre. Réessayez dans quelques minutes.',
    institution_error: 'La banque a signalé une erreur de son côté. Réessayez plus tard.',
    not_eligible: 'La banque ne propose pas ce service pour vos comptes.',
    session_expired: 'La mise en place a duré plus de 30 minutes. Recommencez.',
    connection_limit:
      'Votre formule ne comporte plus de connexion disponible. Supprimez-en une ou changez de formule.',
    connection_deleted: 'La connexion a été supprimée entre-temps.',
    too_many_attempts: 'La page de l’autre service a été ouverte trop souvent. Recommencez ici.',
    institution_mismatch: 'L’identification a eu lieu auprès d’une autre banque que celle à réautoriser.',
  },
};

export const OTHER_BANK: typeof english.OTHER_BANK = {
  title: (linked, chosen) => `Banque connectée : ${linked}, et non ${chosen}`,
  text: (chosen, through) =>
    `Vous aviez choisi ${chosen}, mais une autre banque a été sélectionnée, via ${through}. Connectez aussi ${chosen}, ou laissez tel quel.`,
  link: (chosen) => `Connecter ${chosen}`,
  keep: 'Laisser tel quel',
  failed: 'Cela n’a pas fonctionné',
};

export const NEW_CONNECTION: typeof english.NEW_CONNECTION = {
  title: 'Connecter une banque',
  intro:
    'Choisissez votre banque ou votre courtier. Avant tout partage, vous voyez qui reçoit vos données et lesquelles.',
  search: 'Rechercher par nom',
  ways: (count) => `${count} façons de connecter`,
  choose: (bank) => `Comment connecter ${bank}`,
  called: (way, bank) => `${way} (${bank})`,
  outage: 'En panne actuellement',
  closed: 'Non proposée',
  results: (count) => counted(count, 'établissement', 'établissements'),
  none: 'Aucun établissement trouvé',
  noneText: (text) => `Aucun nom ne contient « ${text} ». Essayez une partie du nom.`,
  nothing: 'Aucun fournisseur n’est configuré : il n’y a donc encore rien à connecter.',
  failed: (bank) => `Impossible d’ouvrir ${bank} pour le moment`,
};

export const CONNECTION: typeof english.CONNECTION = {
  accounts: 'Comptes',
  consents: 'Consentements',
  consentsAside: 'Tous les consentements de cette connexion',
  noConsents: 'Aucun consentement n’est enregistré.',
  ends: 'Prend fin',
  ended: 'A pris fin',
  shares: 'Données partagées',
  status: 'État',
  reason: 'Motif',
  never: 'Sans limite',
  consentStatus: {
    active: 'Actif',
    expiring: 'Expire bientôt',
    expired: 'Expiré',
    withdrawn: 'Retiré',
  },
};
