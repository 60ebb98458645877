import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { ProviderKind } from '../../../src/vocabulary/provider-kinds/kind.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type { DestinationWords } from '../../src/text/kinds.ts';
import type { Translation } from '../../src/text/translated.ts';

const SIGN_IN_NEEDED = 'Identification requise';
const GRANTED = 'Accordé';

export const DESTINATION_WORDS: Readonly<Record<DestinationType, DestinationWords>> = {
  sheets: {
    name: 'Google Sheets',
    target: 'Une feuille de calcul',
    for: 'Une feuille de calcul à trier, à représenter en graphiques et à partager. Aussi pour les positions et les opérations de bourse, et pour les feuilles de Tiller.',
    needs:
      'Un compte Google. Vous vous identifiez chez Google ; Tributary ne voit jamais votre mot de passe.',
    sends:
      'Une ligne par transaction : date, montant, description, catégorie, nom du compte. Aussi les soldes, si vous le demandez.',
    asks: 'Voir et modifier uniquement les feuilles de calcul que Tributary crée ou que vous ouvrez avec lui. Aucun autre fichier de votre Drive.',
    stays: 'La feuille de calcul et ses lignes restent dans votre Drive. L’accès est retiré chez Google.',
    ends: 'retirer l’accès de Tributary chez Google',
    makes: 'Tributary la crée dans votre Google Drive, avec les colonnes nécessaires.',
    balances: 'Dans un onglet à part, avec une ligne par compte.',
  },
  notion: {
    name: 'Notion',
    target: 'Une base de données Notion',
    for: 'Une base de données Notion, avec une page par transaction, à relier à vos autres notes.',
    needs:
      'Un espace de travail Notion. Sur la page de Notion, cochez la page où se trouve, ou se trouvera, la base de données.',
    sends: 'Une page par transaction : date, montant, description, catégorie, nom du compte.',
    asks: 'Lire et modifier les pages que vous cochez, et tout ce qu’elles contiennent.',
    stays: 'La base de données et ses pages sont conservées. L’accès est retiré chez Notion.',
    ends: 'retirer l’accès de Tributary chez Notion',
    makes:
      'Tributary la crée sur la plus ancienne page que vous avez partagée, avec les propriétés nécessaires.',
    balances: null,
  },
  airtable: {
    name: 'Airtable',
    target: 'Une table Airtable',
    for: 'Une table dans Airtable, à regrouper, à filtrer et à exploiter.',
    needs:
      'Une base à vous, dans laquelle vous pouvez créer des tables. Une formule gratuite autorise 1 000 appels par mois, qu’une première synchronisation de 10 000 lignes épuise.',
    sends: 'Un enregistrement par transaction : date, montant, description, catégorie, nom du compte.',
    asks: 'Lire et modifier les enregistrements et les champs dans les bases que vous cochez.',
    stays:
      'La table et ses enregistrements sont conservés. L’accès aussi : retirez-le dans les paramètres de votre compte Airtable.',
    ends: 'faire oublier à Tributary son accès. Airtable ne permet pas d’y mettre fin depuis ici : retirez-le dans les paramètres de votre compte Airtable',
    makes: 'Tributary la crée dans une base à vous, avec les champs nécessaires.',
    balances: 'Dans une table à part, avec un enregistrement par compte.',
  },
  ynab: {
    name: 'YNAB',
    target: 'Un budget YNAB',
    for: 'Des transactions dans votre plan YNAB, prêtes à être approuvées.',
    needs: 'Un abonnement YNAB avec un plan, contenant un compte pour chaque compte bancaire.',
    sends:
      'Date, bénéficiaire, mémo, montant et catégorie de chaque transaction. Chacune arrive sans être approuvée.',
    asks: 'Lire vos plans et y ajouter des transactions.',
    stays:
      'Les transactions restent dans votre plan. Tributary oublie son accès ; pour y mettre fin chez YNAB, retirez-le dans les paramètres de votre compte YNAB.',
    ends: 'faire oublier à Tributary son accès. Pour y mettre fin chez YNAB, retirez-le dans les paramètres de votre compte YNAB',
    makes: '',
    balances: null,
  },
  webhook: {
    name: 'Webhook',
    target: 'Votre propre adresse',
    for: 'Du JSON signé vers votre propre serveur, pour les développeurs.',
    needs: 'Une adresse https qui répond aux requêtes POST et vérifie leur signature.',
    sends:
      'Des événements de 500 lignes au plus : tous les champs d’une transaction ou d’une opération de bourse.',
    asks: 'Rien : vous dirigez les requêtes de Tributary vers votre propre serveur.',
    stays: 'Ce que votre serveur a enregistré y reste. Le secret de signature prend fin.',
    ends: 'mettre fin à son secret de signature et supprimer son journal de livraisons',
    makes: '',
    balances: null,
  },
  postgres: {
    name: 'Postgres',
    target: 'Une table Postgres',
    for: 'Une table dans votre propre base de données, avec des montants exacts, pour des requêtes et des tableaux de bord.',
    needs:
      'Postgres 13 ou plus récent, accessible depuis Internet, et un utilisateur de base de données réservé à Tributary.',
    sends: 'Une ligne par transaction, position ou opération de bourse, avec toutes les colonnes standard.',
    asks: 'Ce que vous accordez à l’utilisateur de la base de données : créer et remplir des tables dans un schéma.',
    stays:
      'Les tables et les lignes sont conservées. Supprimez l’utilisateur de la base de données pour mettre fin à son accès ; le secret chiffré est supprimé ici.',
    ends: 'supprimer le secret chiffré. Supprimez l’utilisateur de la base de données pour mettre fin aussi à son accès là-bas',
    makes: 'Tributary la crée avec ses colonnes et ses index, ainsi qu’une vue des totaux mensuels.',
    balances: 'Dans une table à part, avec une ligne par compte.',
  },
  actual: {
    name: 'Actual Budget',
    target: 'Un budget Actual',
    for: 'Des transactions dans un budget sur votre propre serveur Actual.',
    needs:
      'L’adresse de votre serveur de synchronisation et son mot de passe, et un compte dans le budget pour chaque compte bancaire.',
    sends: 'Date, bénéficiaire, notes, montant et catégorie de chaque transaction.',
    asks: 'Lire et modifier les budgets de ce serveur, comme un client de plus.',
    stays: 'Les transactions restent dans votre budget. Le mot de passe chiffré est supprimé ici.',
    ends: 'supprimer le mot de passe chiffré',
    makes: '',
    balances: null,
  },
  csv_folder: {
    name: 'Fichiers CSV',
    target: 'Un dossier de fichiers CSV',
    for: 'Des fichiers CSV sur la machine qui exécute Tributary, un par compte et par mois.',
    needs: 'L’administrateur définit le dossier.',
    sends:
      'Une ligne par transaction ou opération de bourse : date, montant, description, catégorie, nom du compte.',
    asks: 'Créer et modifier des fichiers dans un dossier qui lui est propre.',
    stays: 'Les fichiers restent dans leur dossier.',
    ends: 'ne mettre fin à rien : les fichiers sont conservés',
    makes: 'Tributary le crée dans votre dossier.',
    balances: null,
  },
};

export const PROVIDER_WORDS: Readonly<Record<ProviderIdentifier, Translation<ProviderKind['texts']>>> = {
  au_banking: {
    name: 'Banque australienne',
    through: 'Open banking australien (Fiskil)',
    institution: 'Banque',
    failures: {},
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'retirer votre consentement à la banque',
  },
  nz_banking: {
    name: 'Banque néo-zélandaise',
    through: 'Akahu',
    institution: 'Banque',
    failures: {
      consent_denied: 'L’accès a été refusé chez Akahu. Rien n’a été partagé.',
      institution_error: 'Akahu a signalé une erreur de son côté. Réessayez plus tard.',
      not_eligible:
        'Aucun compte n’a été partagé chez Akahu, ou l’administrateur n’a pas ouvert l’accès à ce compte Tributary.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal:
      'mettre fin à l’accès chez Akahu ; une application personnelle de l’administrateur conserve le sien jusqu’à sa révocation là-bas',
  },
  brokerage: {
    name: 'Courtier',
    through: 'SnapTrade',
    institution: 'Courtier',
    failures: {
      consent_denied: 'L’accès a été refusé chez le courtier. Rien n’a été partagé.',
      authentication_failed: 'Le courtier n’a pas pu vous identifier. Rien n’a été partagé.',
      institution_error: 'Le courtier n’a pas pu être joint. Réessayez plus tard.',
      not_eligible:
        'Le courtier ne propose pas ce service pour vos comptes, ou l’identification y a eu lieu avec un autre compte.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'supprimer la connexion chez SnapTrade',
  },
  enable_banking: {
    name: 'Banque européenne',
    through: 'Enable Banking',
    institution: 'Banque',
    failures: {
      consent_denied: 'L’accès a été refusé à la banque. Rien n’a été partagé.',
      institution_error: 'La banque ou Enable Banking a signalé une erreur de son côté. Réessayez plus tard.',
      not_eligible:
        'Aucun compte n’a été partagé. En usage restreint, Enable Banking ne partage que les comptes que l’exploitant a ajoutés à l’application dans son panneau de contrôle.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'mettre fin à la session chez Enable Banking, et avec elle à votre consentement à la banque',
  },
  up_bank: {
    name: 'Up',
    through: 'API de Up',
    institution: 'Banque',
    failures: {
      authentication_failed: 'Up n’accepte pas le jeton. L’administrateur doit en configurer un nouveau.',
      not_eligible:
        'Le jeton appartient à une autre personne que la connexion, ou l’administrateur n’a pas ouvert l’accès à ce compte Tributary.',
    },
    invalidated: 'Nouveau jeton requis',
    granted: 'Première lecture',
    withdrawal: 'arrêter de lire Up ; le jeton reste valable jusqu’à sa révocation chez Up',
  },
  simplefin: {
    name: 'SimpleFIN',
    through: 'SimpleFIN',
    institution: 'Banque',
    failures: {
      authentication_failed:
        'Le serveur SimpleFIN a refusé le jeton de configuration : il a déjà servi ou il est incomplet. Créez-en un nouveau, et supprimez l’ancien sur le serveur si vous ne l’avez pas utilisé vous-même.',
      institution_error:
        'Le serveur SimpleFIN n’a pas répondu comme il le devait. Le jeton de configuration a peut-être déjà servi : créez-en un nouveau.',
      not_eligible:
        'Le jeton de configuration ne partage aucun compte pouvant être relié. Connectez d’abord une banque chez SimpleFIN, puis créez un nouveau jeton.',
    },
    invalidated: 'Nouveau jeton ou connexion chez SimpleFIN requis',
    granted: 'Première lecture',
    withdrawal: 'arrêter de lire SimpleFIN ; l’accès reste valable jusqu’à sa désactivation chez SimpleFIN',
  },
  statement_files: {
    name: 'Fichiers de relevés',
    through: 'Fichiers que vous importez',
    institution: 'Banque',
    failures: {},
    invalidated: 'Supprimée',
    granted: 'Premier fichier',
    withdrawal: 'supprimer les fichiers et toutes les lignes qui en ont été reprises',
  },
};
