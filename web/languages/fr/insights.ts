import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/insights.ts';
import { CHARTS } from './charts.ts';

export const INSIGHTS: typeof english.INSIGHTS = {
  currency: 'Devise',
  nothing: 'Aucun de vos comptes n’a de solde ni de transaction à afficher.',
  needsTransactions: 'Les revenus et les dépenses reposent sur les transactions, qui n’ont pas pu être lues.',
  needsBalances: 'Ces graphiques reposent sur les soldes, qui n’ont pas pu être lus.',
  worth: {
    label: (currency) => `Patrimoine net en ${currency}, à la fin de chaque jour`,
    total: (currency) => `Patrimoine net · ${currency}`,
    today: 'Maintenant',
    change: (change, day) => `${change} depuis le ${day}`,
    bankChange: (change, day) => `${change} dans les banques depuis le ${day}`,
    held: 'Avoirs dans les banques',
    owed: 'Dettes',
    invested: 'Placements',
    banks: 'Dans les banques, moins les dettes',
    withInvested: 'Avec les placements',
    bandNote: 'Avec les placements à leur valeur actuelle',
    parts: (currency) => `Devises converties en ${currency}`,
    part: (own, rate) => `${own} au taux de ${rate}`,
    currencyHead: 'Devise',
    ownHead: 'Montant',
    rateHead: 'Taux',
    noRate: 'Sans objet',
    level:
      'Les placements sont représentés par une ligne horizontale, à leur valeur actuelle, car les courtiers ne communiquent pas les cours antérieurs ; la variation est donc celle des comptes bancaires. Les liquidités détenues chez un courtier ne sont pas comptées.',
    rates: (list) =>
      `Converti aux taux fixés par l’administrateur, identiques pour tous les jours : ${listText(list)}.`,
    apart: (currencies, to) =>
      `${currencies.length === 1 ? 'Devise affichée' : 'Devises affichées'} à part, faute de taux de change vers ${to} : ${listText(currencies)}. Les taux de change sont définis par l’opérateur de ce service.`,
    lacksMore: (count) =>
      `Sans ${counted(count, 'autre compte chez un courtier, que cette page ne lit pas', 'autres comptes chez des courtiers, que cette page ne lit pas')}.`,
    locked:
      'Sans ce que vous détenez chez des courtiers, car votre formule ne comprend pas les données de courtage.',
    ratesGuide: 'Comment définir les taux de change',
    noLine:
      'Sans comptes bancaires, il n’y a pas de courbe dans le temps, car les courtiers ne communiquent pas les cours antérieurs.',
  },
  position: {
    title: 'Évolution de la situation nette',
    label: (currency) => `Situation nette en ${currency}, à la fin de chaque jour`,
    today: 'Aujourd’hui',
    since: (change, day) => `${change} depuis le ${day}`,
    none: 'Aucun compte dans cette devise n’a à la fois un solde et des transactions lisibles.',
    day: 'Jour',
    value: 'Situation nette',
    course: (first, last, low, high) =>
      `De ${first.value} le ${first.day} à ${last.value} le ${last.day}. Minimum le ${low.day} : ${low.value}, maximum le ${high.day} : ${high.value}.`,
  },
  budget: {
    title: CHARTS.budget,
    label: 'Revenus et dépenses par mois',
    in: 'Revenus',
    out: 'Dépenses',
    net: 'Épargne',
    column: (month, income, spent) => `${month} : revenus ${income}, dépenses ${spent}`,
    month: 'Mois',
    description: (income, spent, months) =>
      `Revenus : ${income}, dépenses : ${spent}, sur ${counted(months, 'mois', 'mois')}.`,
    note: 'Transactions comptabilisées. Les virements, les comptes de prêt et les paiements des cartes connectées ne sont pas pris en compte.',
  },
  spending: {
    title: CHARTS.spending,
    byMonth: 'Dépenses par mois',
    byCategory: (month) => `Dépenses par catégorie en ${month}`,
    earlier: 'Mois précédent',
    later: 'Mois suivant',
    none: (month) => `Aucune dépense en ${month}.`,
    uncategorised: 'Sans catégorie',
    unnamed: 'Autre catégorie',
    all: (count) => `Afficher les ${count} catégories`,
    fewer: 'Afficher moins',
    monthHead: 'Mois',
    categoryHead: 'Catégorie',
    amountHead: 'Dépenses',
    shareHead: 'Part',
    description: (highest, amount, average) =>
      `Mois aux dépenses les plus élevées : ${highest}, avec ${amount}. Moyenne mensuelle : ${average}.`,
    open: (name) => `Détail de « ${name} »`,
    back: 'Toutes les catégories',
    kinds: (name) => `Types de dépenses dans « ${name} »`,
    merchants: (name) => `Commerçants dans « ${name} »`,
    kindsTitle: 'Par type',
    merchantsTitle: 'Par commerçant',
    otherKind: 'Sans type',
    noMerchant: 'Sans nom',
    more: (count) => counted(count, 'autre commerçant', 'autres commerçants'),
    rows: 'Voir les transactions',
    otherCurrencies: (amounts, month) => `Dans d’autres devises en ${month} : ${listText(amounts)}.`,
    leftOut:
      'Transactions comptabilisées. Les revenus, les virements et les retraits d’espèces ne sont pas pris en compte ; les remboursements de prêt le sont.',
    leftOutWithCards:
      'Transactions comptabilisées. Les revenus, les virements, les retraits d’espèces et les paiements de vos cartes ne sont pas pris en compte ; les autres remboursements de prêt le sont.',
    missing: 'Certains comptes n’ont pas pu être lus : leurs dépenses manquent donc.',
    short: 'Un compte a plus de transactions que ce qui est lu ici : ce mois n’est donc pas complet.',
  },
  notes: {
    how: CHARTS.worthHow,
    unread: 'Non compris, car les transactions n’ont pas pu être lues :',
    withoutBalance: 'Non compris, car aucun solde n’a pu être lu :',
    unverified: 'Non compris, car on ignore si le solde est dû ou en votre faveur :',
    short: (day) => `Commence le ${day}, car il y a plus de transactions que ce qui est lu ici :`,
    still: 'Solde considéré comme inchangé, faute de transactions durant cette période :',
    names: (list) => `${listText(list)}.`,
  },
};
