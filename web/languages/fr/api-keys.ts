import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/api-keys.ts';

export const API_KEYS: typeof english.API_KEYS = {
  title: 'Clés d’API',
  intro:
    'Un programme présente sa clé à chaque requête. Donnez à chaque programme sa propre clé, avec les seules autorisations dont il a besoin : vous pourrez ainsi en révoquer une sans toucher aux autres.',
  all: 'Toutes les clés',
  create: 'Créer une clé d’API',
  none: 'Aucune clé d’API',
  noneText:
    'Créez-en une pour lire vos comptes ou lancer vos synchronisations depuis votre propre programme.',
  status: { active: 'Active', expiring: 'Remplacée', revoked: 'Révoquée', expired: 'Expirée' },
  stops: (moment) => `Cesse de fonctionner le ${moment}`,
  expires: (moment) => `Expire le ${moment}`,
  addresses: (count) => `Depuis ${counted(count, 'adresse', 'adresses')}`,
  scopes: (count) => counted(count, 'autorisation', 'autorisations'),
  allScopes: 'Toutes les autorisations',
  createdBy: (who) => `Créée par ${who}`,
  makers: {
    operator: 'l’administrateur',
    key: (name) => `la clé d’API « ${name} »`,
  },
  legacy: 'Créée avant l’existence des autorisations : elle lit tout et ne modifie rien.',
  facts: {
    prefix: 'Commence par',
    createdBy: 'Créée par',
    expires: 'Expiration',
    stops: 'Cesse de fonctionner',
    addresses: 'Adresses autorisées',
    anywhere: 'Toutes les adresses',
    replaces: 'Remplace',
    metadata: 'Métadonnées',
  },
  scopesTitle: 'Ce qu’elle peut faire',
  rotate: 'Renouveler',
  revoke: 'Révoquer',
  rotating: {
    title: (name) => `Renouveler « ${name} » ?`,
    text: 'Vous recevez une nouvelle clé avec le même nom, les mêmes autorisations, les mêmes adresses et la même expiration. Son secret n’est affiché qu’une fois.',
    grace: 'Validité restante de l’ancienne clé',
    graces: {
      '0': 'Aucune : elle cesse de fonctionner immédiatement',
      '1h': '1 heure',
      '24h': '24 heures',
      '7d': '7 jours',
    },
    action: 'Renouveler la clé',
  },
  revoking: {
    title: (name) => `Révoquer « ${name} » ?`,
    does: 'Cette action est irréversible. Conséquences :',
    stop: (prefix) => `toute requête avec la clé ${prefix}… est refusée, immédiatement`,
    used: (ago) => `ce qui l’utilise cesse de fonctionner (dernière utilisation : ${ago})`,
    unused: 'rien ne cesse de fonctionner : elle n’a jamais été utilisée',
    keep: 'vos autres clés et vos applications connectées restent inchangées',
    action: 'Révoquer la clé',
  },
  secret: {
    created: (name) => `La clé « ${name} » a été créée`,
    rotated: (name) => `La clé « ${name} » a été renouvelée`,
    once: 'Copiez le secret maintenant. Il n’est affiché que cette fois et ne pourra plus l’être ensuite.',
    secret: 'Secret',
    try: 'Essayez-la',
    tryLabel: 'Commande qui utilise la clé',
    done: 'Je l’ai copié',
  },
  failed: {
    create: 'La clé n’a pas été créée',
    rename: 'Le nom n’a pas été modifié',
    rotate: (name) => `La clé « ${name} » n’a pas été renouvelée`,
    revoke: (name) => `La clé « ${name} » n’a pas été révoquée`,
  },
  revoked: (name) => `La clé « ${name} » a été révoquée`,
  revokedText: 'Elle est désormais refusée.',
};

export const NEW_API_KEY: typeof english.NEW_API_KEY = {
  title: 'Créer une clé d’API',
  name: 'Nom',
  nameHint:
    'Ce qui l’utilisera, pour la reconnaître plus tard : « Script de budget sur le serveur de la maison ».',
  scopes: 'Autorisations',
  scopesHint: 'Ce que la clé peut faire. Vous ne pourrez plus le modifier.',
  allRead: 'Tout en lecture',
  clear: 'Aucune',
  read: 'Lire',
  write: 'Lire et modifier',
  included: 'Comprise dans l’autorisation de modification.',
  chosen: (count) =>
    count === 0
      ? 'Choisissez au moins une autorisation.'
      : counted(count, 'autorisation choisie', 'autorisations choisies'),
  groups: {
    account: 'Compte Tributary',
    connections: 'Connexions',
    data: 'Données financières',
    categories: 'Catégories',
    destinations: 'Destinations',
    syncs: 'Synchronisations',
    rules: 'Règles',
    events: 'Événements',
    keys: 'Clés d’API et applications',
  },
  limits: 'Limites',
  addresses: 'Adresses autorisées',
  addressesHint:
    'Une par ligne : une adresse IPv4, une plage telle que 203.0.113.0/24 ou une adresse IPv6. Laissez vide pour toutes les autoriser.',
  expires: 'Expiration',
  expiresHint:
    'La clé cesse de fonctionner à la fin de ce jour, en UTC. Laissez vide pour qu’elle fonctionne jusqu’à ce que vous la révoquiez.',
  metadata: 'Métadonnées',
  metadataHint: 'Jusqu’à 50 paires de votre choix, une par ligne : clé=valeur. Facultatif.',
  metadataInvalid: (line) => `« ${line} » ne contient pas de signe égal. Écrivez clé=valeur.`,
};

export const SCOPE_WORDS: typeof english.SCOPE_WORDS = {
  'account:read':
    'Lire les informations du compte Tributary au-delà de ce que `GET /v2/me` montre à toute clé',
  'connections:read':
    'Lister les établissements et lire les connexions, les consentements et les fiches des fichiers de relevés',
  'connections:write':
    'Connecter des banques et lire les sessions de connexion ; envoyer, reprendre, annuler et supprimer des fichiers de relevés ; renouveler, actualiser et supprimer des connexions ; indiquer ce que signifie le solde positif d’un prêt ou d’une carte',
  'data:read':
    'Lire les comptes, les soldes, les détails, les transactions, les positions, les opérations de bourse et les catégories des fournisseurs',
  'categories:read': 'Lire l’arborescence des catégories et les vues enregistrées',
  'categories:write':
    'Modifier l’arborescence des catégories, les codes qui leur sont rattachés et les vues enregistrées',
  'destinations:read': 'Lire les destinations et lister ce qu’elles contiennent',
  'destinations:write':
    'Connecter, créer et supprimer des destinations, choisir leur emplacement et renouveler les secrets de signature',
  'syncs:read': 'Lire les synchronisations, leurs exécutions et les correspondances de catégories',
  'syncs:write':
    'Créer, modifier, lancer et supprimer des synchronisations, et leur associer des jeux de règles',
  'rules:read': 'Lire les jeux de règles et les règles',
  'rules:write': 'Modifier les jeux de règles et les règles',
  'events:read': 'Lire les événements et les destinations d’événements',
  'events:write': 'Modifier les destinations d’événements, leur envoyer un ping et renvoyer des événements',
  'keys:write':
    'Lire, créer, renouveler et révoquer des clés d’API ; connecter, modifier et révoquer des applications SimpleFIN ; déconnecter des applications',
};
