import type * as english from '../../src/text/new-destination.ts';

export const NEW_DESTINATION: typeof english.NEW_DESTINATION = {
  title: 'Ajouter une destination',
  intro:
    'Où vos transactions doivent-elles aller ? Rien n’est copié avant que vous configuriez une synchronisation.',
  choices: 'Types de destination',
  titleOf: (type) => `Ajouter ${type}`,
  before: 'Avant de continuer',
  purpose: 'À quoi cela sert',
  needs: 'Ce qu’il vous faut',
  sends: 'Ce qui y est envoyé',
  asks: 'Ce que Tributary peut y faire',
  stays: 'Quand vous la supprimez',
  copied:
    'Ce qui y est copié est soumis aux conditions de ce service. Le Consumer Data Right ne le protège plus.',
  more: 'Tous les détails',
  other: 'Choisir un autre type',
  continueTo: (vendor) => `Continuer vers ${vendor}`,
  continueText: (vendor) =>
    `Vous confirmez sur la page suivante, puis vous vous identifiez chez ${vendor} et revenez ici.`,
  connect: 'Connecter',
  connectFailed: (type) => `La connexion avec ${type} n’a pas été établie`,
  webhook: {
    name: 'Nom',
    namePlaceholder: 'Service de comptabilité',
    address: 'Adresse',
    addressHint:
      'Commence par https://. Les adresses de réseaux privés nécessitent l’accord de l’administrateur.',
    create: 'Créer le webhook',
    missing: 'Remplissez ce champ.',
    created: (name) => `Le webhook « ${name} » est prêt`,
    createdText: 'Les événements y sont envoyés dès qu’une synchronisation y écrit.',
    open: 'Ouvrir le webhook',
  },
  secret: {
    title: 'Secret de signature',
    once: 'Copiez-le maintenant et conservez-le là où votre serveur le lit. Il ne sera plus affiché.',
    verify:
      'Il permet à votre serveur de s’assurer qu’une requête vient de Tributary : calculez le HMAC-SHA256 de l’identifiant, de l’horodatage et du corps brut, puis comparez.',
    how: 'Comment vérifier, avec des exemples',
    receivers: 'Récepteurs en PHP, Ruby et Go',
    rotate: 'Remplacer le secret',
    rotateTitle: 'Remplacer le secret de signature ?',
    rotateText: 'Un nouveau secret est créé et affiché une seule fois.',
    newTitle: 'Le nouveau secret de signature',
    done: 'Je l’ai copié',
    overlap:
      'Pendant 24 heures, les requêtes sont aussi signées avec l’ancien secret : votre serveur peut ainsi passer au nouveau sans en refuser aucune.',
  },
  postgres: {
    prepare: 'Créez un utilisateur réservé à Tributary',
    prepareHint: 'Exécutez ceci sur votre base de données, avec un mot de passe de votre choix :',
    address: 'Adresse de connexion',
    addressHint:
      'postgres://utilisateur:motdepasse@hôte:5432/base. La connexion est chiffrée et le certificat vérifié ; écrivez les caractères tels que @ et # du mot de passe sous la forme %40 et %23.',
    name: 'Nom (facultatif)',
    stored: 'Elle est essayée immédiatement, conservée sous forme chiffrée, et n’est plus jamais affichée.',
  },
  actual: {
    server: 'Adresse du serveur de synchronisation',
    serverHint: 'Par exemple https://budget.example.org',
    serverInvalid: 'Ce n’est pas une adresse. Elle commence par https://',
    signIn: 'Comment vous y identifiez-vous ?',
    withPassword: 'Avec un mot de passe',
    withToken: 'Avec un jeton de session',
    withTokenHint: 'Pour les serveurs sans identification par mot de passe.',
    password: 'Mot de passe du serveur',
    token: 'Jeton de session',
    encryption: 'Mot de passe de chiffrement (facultatif)',
    encryptionHint: 'Uniquement pour un budget chiffré de bout en bout.',
  },
};
