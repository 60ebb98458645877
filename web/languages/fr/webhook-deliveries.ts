import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/webhook-deliveries.ts';

export const DELIVERIES: typeof english.DELIVERIES = {
  title: 'Livraisons',
  aside: 'Les derniers événements, sans le contenu des lignes',
  none: 'Rien n’a encore été envoyé. Les événements apparaissent ici dès qu’une synchronisation a été exécutée.',
  noneOfStatus: 'Aucune livraison de la liste ne s’est terminée ainsi.',
  filter: 'Afficher les livraisons',
  filters: { all: 'Toutes', failed: 'En échec', succeeded: 'Livrées' },
  status: { succeeded: 'Livrée', failed: 'Échec' },
  types: { 'transactions.synced': 'Transactions', 'trades.synced': 'Opérations de bourse' },
  rows: (added, updated, removed) =>
    [
      counted(added, 'ligne nouvelle', 'lignes nouvelles'),
      ...(updated === 0 ? [] : [`${updated} ${updated === 1 ? 'mise' : 'mises'} à jour`]),
      ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'retirée' : 'retirées'}`]),
    ].join(', '),
  attempts: (count) => counted(count, 'tentative', 'tentatives'),
  duration: (ms) => `${ms} ms`,
  show: 'Afficher les tentatives',
  event: 'Identifiant de l’événement',
  run: 'Exécution',
  attempt: (number) => `Tentative ${number}`,
  answered: (code) => `HTTP ${code}`,
  failures: {
    timeout: 'Pas de réponse à temps',
    connection: 'Pas de connexion',
    refused_address: 'Adresse non autorisée',
    answer_too_large: 'Réponse trop volumineuse',
  },
  answer: 'Réponse reçue',
  latestAttempts: (count) => `Les ${count} dernières tentatives`,
  again: 'Renvoyer',
  againOf: (event) => `Renvoyer l’événement ${event}`,
  resend: {
    title: 'Renvoyer cet événement ?',
    text: 'Tributary lit ses lignes à la banque telles qu’elles sont maintenant, applique vos règles et vos catégories, et les envoie dans un nouvel événement. Toutes les lignes sont dans data.new.',
    upsert:
      'Votre récepteur devrait enregistrer les lignes par leur identifiant, afin qu’aucune ne soit en double. Rien ne change pour les exécutions suivantes.',
    action: 'Renvoyer',
    failed: 'L’événement n’a pas été renvoyé',
    working:
      'Lecture à la banque et envoi. Vous pouvez laisser cette page ouverte ; cela peut prendre quelques minutes.',
  },
  window: {
    open: 'Renvoyer des jours',
    title: 'Renvoyer une plage de jours',
    text: 'Tout ce qui a été livré pour ces jours est lu à la banque et renvoyé, dans de nouveaux événements. Les deux jours sont compris.',
    sync: 'Synchronisation',
    from: 'Premier jour',
    to: 'Dernier jour',
    order: 'Le premier jour doit précéder le dernier.',
    missing: 'Choisissez un jour.',
    action: 'Renvoyer',
    failed: 'Les jours n’ont pas été renvoyés',
  },
  sent: {
    title: 'Renvoi effectué',
    partial: 'Renvoi partiel',
    text: (sent, deliveries) =>
      `Votre récepteur a accepté ${counted(sent, 'ligne', 'lignes')} en ${counted(deliveries, 'événement', 'événements')}.`,
    missing: (count) =>
      ` ${counted(count, 'ligne n’existe plus à la banque ou est écartée par une règle', 'lignes n’existent plus à la banque ou sont écartées par une règle')}.`,
    undelivered: (count) => ` La prochaine exécution envoie encore ${counted(count, 'ligne', 'lignes')}.`,
    failure: (code) => ` Arrêt prématuré : ${code}.`,
  },
};
