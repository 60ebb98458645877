import { translated } from './translated.ts';

const COPIED =
  'What is copied there follows the terms of that service. The Consumer Data Right no longer protects it.';

export const NEW_DESTINATION = translated('NEW_DESTINATION', {
  title: 'Add a destination',
  intro: 'Where should your transactions go? Nothing is copied before you set up a sync.',
  choices: 'Types of destination',
  titleOf: (type: string) => `Add ${type}`,
  before: 'Before you continue',
  purpose: 'What it is for',
  needs: 'What you need',
  sends: 'What goes there',
  asks: 'What it may do there',
  stays: 'When you delete it',
  copied: COPIED,
  more: 'All details',
  other: 'Choose another type',
  continueTo: (vendor: string) => `Continue to ${vendor}`,
  continueText: (vendor: string) =>
    `You confirm on the next page, then sign in at ${vendor} and come back here.`,
  connect: 'Connect',
  connectFailed: (type: string) => `${type} was not connected`,
  webhook: {
    name: 'Name',
    namePlaceholder: 'Ledger service',
    address: 'Address',
    addressHint: 'Starts with https://. Addresses in private networks need the operator’s permission.',
    create: 'Create the webhook',
    missing: 'Fill this in.',
    created: (name: string) => `${name} is ready`,
    createdText: 'Events go there as soon as a sync writes to it.',
    open: 'Open the webhook',
  },
  secret: {
    title: 'Signing secret',
    once: 'Copy it now and keep it where your server reads it. It is not shown again.',
    verify:
      'Your server proves with it that a request is Tributary’s: compute HMAC-SHA256 of the id, the timestamp and the raw body, and compare.',
    how: 'How to verify, with examples',
    receivers: 'Receivers in PHP, Ruby and Go',
    rotate: 'Replace the secret',
    rotateTitle: 'Replace the signing secret?',
    rotateText: 'A new secret is made and shown once.',
    newTitle: 'The new signing secret',
    done: 'I have copied it',
    overlap:
      'For 24 hours, requests are signed with the old secret too, so your server can switch without refusing any.',
  },
  postgres: {
    prepare: 'Make a user for Tributary alone',
    prepareHint: 'Run this on your database, with a password of your own:',
    address: 'Connection address',
    addressHint:
      'postgres://user:password@host:5432/database. The connection is encrypted and the certificate is checked; write characters such as @ and # in the password as %40 and %23.',
    name: 'Name (optional)',
    stored: 'It is tried at once, stored sealed, and never shown again.',
  },
  actual: {
    server: 'Address of the sync server',
    serverHint: 'As in https://budget.example.org',
    serverInvalid: 'This is no address. It starts with https://',
    signIn: 'How do you sign in there?',
    withPassword: 'With a password',
    withToken: 'With a session token',
    withTokenHint: 'For servers without sign-in by password.',
    password: 'Password of the server',
    token: 'Session token',
    encryption: 'Encryption password (optional)',
    encryptionHint: 'Only for a budget that is encrypted end to end.',
  },
});
