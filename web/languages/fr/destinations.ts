import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destinations.ts';

export const DESTINATIONS: typeof english.DESTINATIONS = {
  title: 'Destinations',
  add: 'Ajouter une destination',
  none: 'Aucune destination pour le moment',
  noneText:
    'Une destination est l’endroit où une synchronisation copie vos transactions : une feuille de calcul, une base de données, une application de budget ou votre propre serveur.',
  noTarget: 'L’emplacement n’est pas encore choisi',
  tab: (spreadsheet, tab) => `${spreadsheet} · ${tab}`,
  status: {
    active: 'Active',
    incomplete: 'À terminer',
    reauth_required: 'Identification requise',
    disabled: 'Désactivée',
  },
  noSync: 'Aucune synchronisation n’écrit ici',
  writtenBy: (names) => `Alimentée par ${names.join(', ')}`,
  syncs: (count) => counted(count, 'synchronisation écrit ici', 'synchronisations écrivent ici'),
  finish: 'Terminer la configuration',
  signIn: 'S’identifier à nouveau',
  newSecret: 'Mettre à jour le secret',
  enable: 'Activer',
  actionsOf: (name) => `Actions pour ${name}`,
  details: 'Ouvrir',
  failed: {
    link: (name) => `L’identification chez ${name} ne peut pas être ouverte pour le moment`,
    enable: (name) => `La destination « ${name} » n’a pas été activée`,
    rename: (name) => `La destination « ${name} » n’a pas été renommée`,
    delete: (name) => `La destination « ${name} » n’a pas été supprimée`,
    rotate: 'Le secret de signature n’a pas été remplacé',
    secret: 'Le nouveau secret n’a pas été accepté',
    address: 'L’adresse n’a pas été modifiée',
  },
};

export const RETURNED: typeof english.RETURNED = {
  completed: 'L’identification a réussi',
  completedText: 'Tributary peut désormais y écrire, jusqu’à ce que vous retiriez cet accès ici ou là-bas.',
  finding: 'Identification en cours de finalisation…',
  unknownLink: 'La nouvelle destination figure dans la liste. Ouvrez-la pour choisir son emplacement.',
  failed: 'Aucune connexion n’a été établie',
  unknown: 'Rien n’a été partagé. Vous pouvez recommencer à tout moment.',
  reasons: {
    access_denied:
      'L’accès a été refusé là-bas : rien n’a donc été partagé. Vous pouvez recommencer à tout moment.',
    cancelled: 'Vous avez annulé. Rien n’a été partagé.',
    session_expired: 'L’identification a duré plus de 30 minutes. Recommencez.',
    destination_deleted: 'La destination a été supprimée entre-temps.',
  },
};

export const DESTINATION: typeof english.DESTINATION = {
  facts: 'Détails',
  type: 'Type',
  writesTo: 'Écrit dans',
  open: (vendor) => `Ouvrir dans ${vendor}`,
  status: 'État',
  takes: 'Accepte',
  holds: { transactions: 'transactions', holdings: 'positions', trades: 'opérations de bourse' },
  columns: 'Colonnes',
  columnsOfSync: 'Choisies dans la synchronisation qui écrit ici',
  added: 'Ajoutée',
  changed: 'Dernière modification',
  syncs: 'Synchronisations qui écrivent ici',
  noSync: 'Aucune synchronisation n’écrit encore ici.',
  neverSynced: 'Pas encore exécutée',
  lastSynced: (ago) => `Dernière exécution : ${ago}`,
  syncStatus: { idle: 'Au repos', running: 'En cours', attention: 'À vérifier' },
  setUpSync: 'Configurer une synchronisation',
  ready: 'Prête à recevoir des lignes',
  readyText: 'Configurez une synchronisation pour y copier vos comptes.',
  target: 'Choisir l’emplacement',
  targetAside: 'La dernière étape',
  rename: 'Renommer',
  name: 'Nom',
  nameMissing: 'Indiquez un nom.',
  changeTarget: 'Changer l’emplacement',
  changeTargetText:
    'Aucune synchronisation n’écrit ici : l’emplacement peut donc être changé. Ce qui a déjà été écrit reste où il est.',
  targetFixed: (names) =>
    `${names.length === 0 ? 'Une synchronisation écrit déjà ici' : `Synchronisations qui écrivent déjà ici : ${names.join(', ')}`}. Tributary se souvient des lignes qu’il a livrées ; dans un autre emplacement, elles manqueraient donc. Pour écrire ailleurs, ajoutez une autre destination et configurez une synchronisation vers elle.`,
  reauthorize: 'S’identifier à nouveau',
  reauthorizeWhy: (vendor) =>
    `Vous vous identifiez chez ${vendor}, vous autorisez de nouveau l’accès, puis vous revenez ici. L’emplacement, les synchronisations et les lignes livrées sont conservés. L’accès que vous aviez accordé auparavant prend fin.`,
  reauthorizeText: (vendor) =>
    `${vendor} n’accepte plus l’identification. Identifiez-vous à nouveau : l’emplacement, les synchronisations et les lignes livrées sont conservés.`,
  secretText: (vendor) =>
    `${vendor} n’accepte plus le secret. Saisissez-en un nouveau : l’emplacement, les synchronisations et les lignes livrées sont conservés.`,
  replaceSecret: 'Mettre à jour le secret',
  lapsed: 'Écriture impossible',
  disabled: 'Les livraisons sont arrêtées',
  gone: 'Votre récepteur a répondu 410 Gone, ce qui demande à Tributary d’arrêter. Quand il sera de nouveau prêt, activez la destination ici. Rien n’est perdu entre-temps.',
  failing: (last) =>
    `Cinq exécutions de suite ont échoué sur au moins une journée. ${last}Réparez le récepteur, puis activez la destination ici. Rien n’est perdu entre-temps.`,
  lastAnswer: (answer) => `Résultat de la dernière tentative : ${answer}. `,
  enabled: 'La destination est de nouveau activée',
  enabledText: 'La prochaine exécution de sa synchronisation envoie ce qui était en attente.',
  renamed: 'La destination a été renommée',
  renamedText: 'Seul son nom ici a changé.',
  moved: 'La destination écrit désormais dans le nouvel emplacement',
  movedText: 'Ce qui a déjà été écrit reste où il est.',
  secretReplaced: 'Le nouveau secret est accepté',
  secretReplacedText: 'La prochaine exécution l’utilise.',
  address: 'Changer l’adresse',
  addressText:
    'Dès la prochaine livraison, les événements sont envoyés à la nouvelle adresse, signés avec le même secret. Les lignes déjà livrées ne sont pas renvoyées : renvoyez une plage de jours ci-dessous, ou resynchronisez.',
  addressLabel: 'Nouvelle adresse',
  addressMissing: 'Saisissez une adresse.',
  delete: 'Supprimer',
  deleting: {
    title: (name) => `Supprimer la destination « ${name} » ?`,
    does: 'Cette action est irréversible. Elle va :',
    stops: (names) =>
      `supprimer ${names.length === 1 ? 'la synchronisation' : 'les synchronisations'} ${names.map((name) => `« ${name} »`).join(', ')}, avec l’historique des exécutions`,
    stopsUnnamed: (count) =>
      `supprimer ${counted(count, 'synchronisation qui y écrit', 'synchronisations qui y écrivent')}, avec l’historique des exécutions`,
    stays: 'Tout ce qui a été écrit là-bas y reste. Rien n’est supprimé de l’autre côté.',
    running:
      'Une exécution est en train d’y écrire. Attendez qu’elle se termine ou annulez-la, puis recommencez la suppression.',
  },
};
