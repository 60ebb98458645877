import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/welcome.ts';

export const WELCOME: typeof english.WELCOME = {
  tour: {
    title: 'Suivez la visite',
    intro:
      'Cette installation fonctionne avec un bac à sable : des banques et une feuille de calcul simulées, sans aucun compte ailleurs. En quatre étapes, vous voyez tout le parcours, d’une banque jusqu’à des lignes et des graphiques avec lesquels travailler.',
  },
  guide: {
    title: 'Premiers pas',
    intro: 'Trois étapes mènent de votre banque à des lignes, à l’endroit où vous travaillez avec elles.',
  },
  leave: 'Passer à l’accueil',
  done: 'Terminé',
  linked: (bank, accounts) => `${bank}, ${counted(accounts, 'compte', 'comptes')}`,
  listing: (bank) => `Connexion établie : ${bank}. Récupération de la liste des comptes…`,
  copies: (sync) =>
    `La synchronisation « ${sync} » copie désormais automatiquement les nouvelles transactions.`,
  sandboxBank: {
    title: 'Connecter une banque simulée',
    text: 'Vous voyez qui reçoit quoi, puis vous vous identifiez à la banque simulée comme l’un de ses clients fictifs, et vous revenez ici.',
    action: (bank) => `Connecter ${bank}`,
    other: 'Choisir une autre banque',
  },
  bank: {
    title: 'Connecter une banque',
    text: 'Avant tout partage, vous voyez qui reçoit vos données et lesquelles, et vous pouvez y mettre fin à tout moment.',
    action: 'Connecter une banque',
    failed: 'Impossible d’ouvrir la banque pour le moment',
  },
  spreadsheet: {
    title: 'Copier ses transactions dans une feuille de calcul',
    text: 'Connectez le Google Sheets simulé, puis revenez ici. Aucun compte Google n’est nécessaire.',
    connect: 'Connecter les feuilles de calcul simulées',
    connectFailed: 'Les feuilles de calcul ne peuvent pas être connectées pour le moment',
    connected:
      'Google Sheets est connecté. Ensuite, Tributary y crée une feuille de calcul et copie les transactions.',
    copy: 'Créer la feuille de calcul et copier',
    copyFailed: 'Les transactions ne sont pas copiées',
    name: 'Transactions Tributary',
    syncName: (bank) => `${bank} vers une feuille de calcul`,
  },
  rows: {
    title: 'Ouvrir les lignes',
    text: 'Dès que la première exécution est terminée, la feuille de calcul s’ouvre d’ici.',
    waiting: 'La première exécution démarre…',
    reading: (read, added) =>
      `${counted(read, 'ligne lue', 'lignes lues')}, dont déjà copiées : ${numberText(added)}…`,
    copied: (added) => `${counted(added, 'ligne copiée', 'lignes copiées')}.`,
    failed: 'L’exécution n’a pas réussi.',
    again: 'Relancer',
    open: 'Ouvrir la feuille de calcul',
  },
  destination: {
    title: 'Ajouter une destination',
    text: 'Une feuille de calcul, une base de données, une application de budget ou votre propre programme : là où vous travaillez avec vos transactions.',
    action: 'Ajouter une destination',
  },
  sync: {
    title: 'Créer une synchronisation',
    text: 'Elle copie les comptes que vous choisissez vers la destination, maintenant puis selon une fréquence définie.',
    action: 'Créer une synchronisation',
  },
  charts: {
    title: 'Voir où va l’argent',
    text: 'L’accueil présente les mêmes comptes et transactions sous forme de graphiques : ce qu’il y a sur les comptes, et à quoi l’argent a été dépensé.',
    action: 'Voir les soldes et les dépenses',
  },
  notConnected: {
    failed: 'Les feuilles de calcul n’ont pas été connectées',
    unknown: 'Rien n’y a été autorisé. Vous pouvez recommencer à tout moment.',
  },
  finished:
    'C’était tout le parcours. Les soldes, les dépenses et l’état de chaque synchronisation sont sur la page d’accueil.',
  home: 'Aller à l’accueil',
};
