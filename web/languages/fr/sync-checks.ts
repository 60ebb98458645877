import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-checks.ts';

export const DRY_RUN: typeof english.DRY_RUN = {
  title: 'Simulation',
  intro:
    'Lit à la banque ce que lirait la prochaine exécution, et montre ce qu’elle ferait. Rien n’est écrit.',
  action: 'Lancer la simulation',
  again: 'Recommencer',
  reading: 'Lecture à la banque… Cela peut prendre jusqu’à deux minutes.',
  stop: 'Arrêter',
  failed: 'La simulation n’a pas fonctionné',
  nothing: 'La prochaine exécution ne changerait rien',
  nothingText: (rows) => `${counted(rows, 'ligne est', 'lignes sont')} déjà à jour.`,
  summary: (added, updated, removed, skipped) =>
    [
      counted(added, 'ligne à ajouter', 'lignes à ajouter'),
      ...(updated === 0 ? [] : [counted(updated, 'ligne à mettre à jour', 'lignes à mettre à jour')]),
      ...(removed === 0 ? [] : [counted(removed, 'ligne à retirer', 'lignes à retirer')]),
      ...(skipped === 0
        ? []
        : [counted(skipped, 'ligne ignorée par des règles', 'lignes ignorées par des règles')]),
    ].join(', '),
  unchanged: (rows) => counted(rows, 'ligne inchangée', 'lignes inchangées'),
  unreadable: (rows) =>
    counted(
      rows,
      'ligne n’a pas pu être lue et serait rejetée',
      'lignes n’ont pas pu être lues et seraient rejetées',
    ),
  action_of: { add: 'Ajouter', update: 'Mettre à jour', remove: 'Retirer', skip: 'Ignorer' },
  removed: 'Une ligne que la banque ne communique plus',
  truncated: (rows) =>
    `Seules les premières lignes sont listées (${counted(rows, 'ligne', 'lignes')}) ; les nombres portent sur toutes.`,
  rows: 'Lignes',
  tags: (tags) => `Étiquettes : ${tags}`,
  memo: (memo) => `Mémo : ${memo}`,
  rules: (count) => counted(count, 'règle appliquée', 'règles appliquées'),
  noDay: 'Pas encore de date',
};

export const VERIFY: typeof english.VERIFY = {
  title: 'Vérification',
  intro:
    'Lit tout à la banque et à la destination, et compare ligne par ligne. Rien n’est écrit. Cela peut prendre quelques minutes.',
  action: 'Lancer la vérification',
  again: 'Vérifier à nouveau',
  reading: 'Comparaison de la banque et de la destination… Cela peut prendre jusqu’à dix minutes.',
  stop: 'Arrêter',
  failed: 'La vérification n’a pas fonctionné',
  alike: 'La destination montre ce qu’a la banque',
  alikeText: (rows) => `${counted(rows, 'ligne est identique', 'lignes sont identiques')}.`,
  recordText: (rows) =>
    `${counted(rows, 'ligne a été livrée', 'lignes ont été livrées')} avec le même contenu qu’à la banque. Un webhook ne peut pas être lu : ce que son récepteur en a fait est donc inconnu.`,
  differs: (problems) => counted(problems, 'différence', 'différences'),
  differsText:
    'Une différence n’est pas toujours une erreur : quelqu’un a pu modifier ou supprimer une ligne volontairement.',
  counts: {
    bank: 'Lignes à la banque',
    destination: 'Lignes à la destination',
    alike: 'Identiques',
    skipped_by_rules: 'Ignorées par des règles',
    in_doubt: 'Non confirmées avant la prochaine exécution',
    others: 'Autres lignes sur place',
    unreadable: 'Illisibles',
    not_compared: 'Non comparées',
  },
  kind: { missing: 'Manquante', extra: 'En trop', different: 'Différente', doubled: 'En double' },
  reason: {
    not_delivered_yet: 'Pas encore livrée.',
    refused: 'La destination ne peut pas afficher cette ligne telle quelle.',
    removed_there: 'Elle a été livrée, puis supprimée là-bas.',
    withdrawn_by_bank: 'La banque ne la communique plus.',
    still_there: 'Elle avait été retirée et s’y trouve de nouveau.',
    unknown_position: 'Ni la banque ni le registre des livraisons ne connaissent cette position.',
    edited_there: 'Elle a été modifiée là-bas.',
    account_differs: 'Seuls le nom, le numéro ou la banque du compte diffèrent.',
    changed_since: 'La banque, une règle ou une correspondance l’a modifiée après sa livraison.',
    change_refused: 'Elle a changé, et la destination ne peut pas afficher son état actuel.',
    replaced_since: 'Elle s’y trouve sous un identifiant antérieur.',
    stands_twice: 'Elle s’y trouve plusieurs fois.',
  },
  remedy: {
    run: 'La prochaine exécution corrige cela.',
    resync: 'Une resynchronisation corrige cela, et annule aussi les modifications volontaires.',
    person: 'Une correction de votre part est nécessaire.',
  },
  refusal: {
    amount: 'Son montant a plus de chiffres que la destination n’en accepte.',
    currency: 'Sa devise n’est pas celle du budget.',
    day: 'La destination n’accepte pas sa date.',
    size: 'Son texte est plus long que ce que la destination accepte.',
  },
  column: {
    absent: (name) => `La colonne « ${name} » manque`,
    wrong_type: (name) => `La colonne « ${name} » est d’un type qui ne convient pas`,
  },
  columnRemedy: {
    run: 'La prochaine exécution l’ajoute.',
    resync: 'Une resynchronisation l’ajoute et la remplit.',
    person: 'Changez son type là-bas.',
  },
  columns: 'Colonnes',
  problems: 'Différences',
  expected: (name, value) => `${name} : attendu ${value}`,
  found: (value) => `affiché ${value}`,
  quoted: (value) => `« ${value} »`,
  empty: 'vide',
  nothing: 'rien',
  truncated: (rows) =>
    `Seules les premières différences sont listées (${counted(rows, 'différence', 'différences')}).`,
  unreadable: (rows) =>
    counted(
      rows,
      'ligne n’a pas pu être lue et n’a pas été comparée',
      'lignes n’ont pas pu être lues et n’ont pas été comparées',
    ),
  rejected: (rows) =>
    counted(
      rows,
      'ligne refusée par la destination lors de la dernière exécution',
      'lignes refusées par la destination lors de la dernière exécution',
    ),
};
