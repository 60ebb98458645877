import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/investments.ts';

export const BROKERAGE: typeof english.BROKERAGE = {
  tabs: 'Positions et opérations de bourse',
  account: 'Compte',
  everyAccount: 'Tous les comptes',
  unlinked: 'Aucun courtier n’est encore connecté',
  unlinkedText:
    'Connectez un courtier pour voir ce que vous détenez et ce que vous avez acheté ou vendu. Ces données sont lues chez le courtier quand vous les consultez, et ne sont pas conservées.',
  link: 'Connecter un courtier',
  locked: 'Votre formule ne comprend pas les données de courtage',
  lockedText:
    'Les positions et les opérations de bourse nécessitent la formule Professional ou une période d’essai. Les comptes bancaires et leurs transactions restent tels quels.',
  explain: 'Ce que comprend chaque formule',
  accountFailed: (name) => `Compte absent ici, car il n’a pas pu être lu : ${name}`,
};

export const HOLDINGS: typeof english.HOLDINGS = {
  title: 'Positions',
  filters: 'Filtres',
  sort: 'Trier par',
  sorts: {
    value: 'Valeur la plus élevée',
    name: 'Nom',
    gain: 'Gain le plus élevé',
    loss: 'Perte la plus élevée',
  },
  count: (count) => counted(count, 'position', 'positions'),
  none: 'Aucune position',
  noneText: 'Le courtier ne liste aucune position dans ces comptes. Les liquidités ne sont pas une position.',
  inCurrency: (currency) => `Positions en ${currency}`,
  value: 'Valeur de marché',
  gain: 'Plus-value latente',
  loss: 'Moins-value latente',
  even: 'Plus ou moins-value',
  unknownValues: (count) =>
    `${counted(count, 'position n’a pas de valeur chez le courtier et n’est pas comprise', 'positions n’ont pas de valeur chez le courtier et ne sont pas comprises')} dans les totaux.`,
  unknownGains: (count) =>
    `${counted(count, 'position n’a', 'positions n’ont')} ni plus-value ni moins-value chez le courtier.`,
  holding: 'Position',
  quantity: 'Quantité',
  averagePrice: 'Prix moyen',
  price: 'Cours',
  account: 'Compte',
  share: 'Part de la valeur',
  unknown: 'Non communiqué',
  unnamed: 'Position sans nom',
  refresh: 'Actualiser',
};

export const ALLOCATION: typeof english.ALLOCATION = {
  title: 'Répartition',
  by: 'Regrouper par',
  choices: { position: 'Position', type: 'Type', account: 'Compte', currency: 'Devise' },
  types: {
    stock: 'Actions',
    adr: 'Certificats de dépôt d’actions',
    etf: 'Fonds indiciels cotés (ETF)',
    mutual_fund: 'Fonds communs de placement',
    closed_end_fund: 'Fonds à capital fixe',
    crypto: 'Cryptomonnaies',
    option: 'Options',
    future: 'Contrats à terme',
    cfd: 'Contrats sur différence (CFD)',
    other: 'Autres',
    unknown: 'Type non communiqué',
  },
  label: (by, currency) => `Répartition par ${by.toLowerCase()}, en ${currency}`,
  inCurrency: (currency) => `En ${currency}`,
  others: (count) => counted(count, 'autre', 'autres'),
  value: 'Valeur',
  share: 'Part',
  apart: 'Les devises restent séparées lorsque l’administrateur n’a fixé aucun taux de change entre elles.',
  rates: (rates) => `Converti aux taux fixés par l’administrateur : ${listText(rates)}.`,
};

export const TRADES: typeof english.TRADES = {
  title: 'Opérations de bourse',
  filters: 'Filtres',
  from: 'Du',
  to: 'Au',
  type: 'Type',
  types: {
    all: 'Tous les types',
    buy: 'Achat',
    sell: 'Vente',
    dividend: 'Dividende',
    split: 'Division d’actions',
    transfer: 'Transfert',
    fee: 'Frais',
    interest: 'Intérêts',
    other: 'Autre',
  },
  rows: (count) => counted(count, 'opération', 'opérations'),
  quantityAt: (quantity, price) => `${quantity} à ${price}`,
  fees: (fees) => `Frais ${fees}`,
  settles: (day) => `Règlement le ${day}`,
  noAmount: 'Sans montant',
  older: 'Rechercher des opérations plus anciennes',
  loading: 'Chargement des opérations plus anciennes…',
  end: 'Aucune opération plus ancienne durant cette période',
  none: 'Aucune opération durant cette période',
  noneText: 'Choisissez des jours antérieurs ou un autre compte.',
  unmatched: 'Aucune opération ne correspond',
  unmatchedText: 'Choisissez un autre type ou un autre compte.',
  moreFailed: 'Les opérations plus anciennes n’ont pas pu être chargées',
};
