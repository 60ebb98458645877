import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/shell.ts';

export const SHELL: typeof english.SHELL = {
  product: 'Tributary',
  skip: 'Aller au contenu',
  navigation: 'Navigation principale',
  home: 'Accueil',
  needsYou: (count) => counted(count, 'élément à traiter', 'éléments à traiter'),
  connections: 'Connexions',
  transactions: 'Transactions',
  syncs: 'Synchronisations',
  categories: 'Catégories',
  destinations: 'Destinations',
  holdings: 'Positions',
  developer: 'Développeurs',
  more: 'Plus',
  account: 'Votre compte',
  plan: { saver: 'Saver', developer: 'Developer', professional: 'Professional' },
  trial: 'Essai',
  settings: 'Paramètres',
  security: 'Sécurité et sessions',
  guides: 'Guides',
  reference: 'Référence de l’API',
  signOut: 'Se déconnecter',
  language: 'Langue',
  theme: 'Thème',
  themes: { auto: 'Système', light: 'Clair', dark: 'Sombre' },
  missing: {
    title: 'Page introuvable',
    text: 'Il n’y a rien à cette adresse.',
    action: 'Aller à l’accueil',
    documentation: 'Rechercher dans la documentation',
  },
  offline:
    'Vous êtes hors ligne. Ce qui est affiché peut être ancien, et rien ne peut être modifié avant le retour du réseau.',
  palette: {
    title: 'Rechercher partout',
    button: 'Rechercher',
    placeholder: 'Recherchez, ou dites quoi faire',
    shortcut: (isMac) => (isMac ? '⌘ K' : 'Ctrl K'),
    shortcuts: 'Control+K Meta+K',
  },
  keys: {
    title: 'Raccourcis clavier',
    all: [
      ['j', 'Ligne suivante d’une liste'],
      ['k', 'Ligne précédente'],
      ['Entrée', 'Ouvrir la ligne'],
      ['x', 'Cocher ou décocher la ligne, là où les lignes sont sélectionnables'],
      ['?', 'Afficher ces raccourcis'],
      ['Ctrl K', 'Rechercher partout ; sur Mac, ⌘ K. Celui-ci fonctionne toujours.'],
    ],
    use: 'Utiliser ces raccourcis',
    hint: 'Désactivez-les si vous parlez à votre ordinateur ou utilisez des contacteurs. Ce choix est conservé dans ce navigateur.',
    close: 'Fermer',
  },
  records: {
    shown: 'Compte Tributary',
    switchTo: 'Changer de compte Tributary',
    all: 'Tous les comptes Tributary',
  },
  switched: {
    title: 'Vous voyez maintenant un autre compte Tributary',
    text: 'Vous avez changé de compte dans un autre onglet de ce navigateur. Ce que vous étiez en train de faire ici n’a pas été effectué.',
  },
  ended: {
    title: 'Session terminée',
    text: 'Votre session a pris fin. Reconnectez-vous dans un nouvel onglet, puis revenez ici et continuez : votre saisie est conservée.',
    again: 'C’est fait',
    notYet: 'Aucune session n’est encore ouverte.',
  },
  abandoned: {
    title: 'Une modification n’a pas été effectuée',
    text: 'Le service était trop sollicité pour l’enregistrer, et vous avez quitté la page ou annulé avant qu’elle soit renvoyée.',
  },
  tooMany: {
    title: (seconds) =>
      `Trop de requêtes. Reprise dans ${seconds === 1 ? 'une seconde' : `${seconds} secondes`}.`,
    text: 'Ce que vous voyez reste affiché, et cette page reprend automatiquement.',
  },
  pageTitle: (title) => `${title} · Tributary`,
};
