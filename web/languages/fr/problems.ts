import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/problems.ts';

export const PROBLEMS: typeof english.PROBLEMS = {
  title: 'Le chargement a échoué',
  failed: 'Cela n’a pas fonctionné',
  unreachable: 'Le service ne répond pas. Vérifiez votre connexion, puis réessayez.',
  pageMissing: 'Page non chargée',
  scriptMissing:
    'Cette partie de l’application manque. Réessayez plus tard ; si le problème persiste, signalez-le.',
  unknown:
    'Un problème inattendu est survenu dans cette page. Rechargez-la ; si cela se reproduit, signalez-le.',
  signedOut: 'Votre session est terminée : rien n’a donc été lu ni modifié.',
  reference: (id) => `Référence : ${id}`,
  explain: 'Ce que cela signifie',
  switchTo: (record) => `Passer à ${record}`,
  againAt: (time) => `Votre banque autorise une nouvelle lecture à ${time}. Elle aura lieu à ce moment-là.`,
  again: 'Réessayer',
  signIn: 'Se reconnecter dans un nouvel onglet',
  signInHint: 'Revenez ensuite à cette page et recommencez. Votre saisie est conservée.',
  dismiss: 'Fermer',
  undo: 'Annuler',
  undoShortcut: 'Control+Z Meta+Z',
  undoKeys: 'Appuyez sur Ctrl Z pour annuler.',
  undone: 'Action annulée',
  partlyUndone: 'Tout n’a pas été annulé',
  loading: 'Chargement',
  cancel: 'Annuler',
  close: 'Fermer',
  save: 'Enregistrer',
  copy: 'Copier',
  copied: 'Copié',
  showMore: 'Afficher plus',
  printedOnly: (shown, all) =>
    `Les ${numberText(shown)} premières entrées sur ${numberText(all)}. Téléchargez un fichier pour les avoir toutes.`,
  listKeys: 'Utilisez les flèches pour passer d’une ligne à l’autre et Entrée pour en ouvrir une.',
  asTable: 'Afficher sous forme de tableau',
  dayOutOfRange: 'Ce jour est en dehors de la plage affichable.',
};

export const ROLES: typeof english.ROLES = {
  title: 'Seul un propriétaire peut faire cela',
  text: 'Vous pouvez lire ce compte Tributary, mais pas le modifier. Adressez-vous à l’un de ses propriétaires, ou demandez-lui de changer votre rôle.',
  sentence: 'Seul un propriétaire peut modifier cela.',
};
