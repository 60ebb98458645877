import { NOT_MAPPED } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** Signed JSON to a server of the owner's. */
export const WEBHOOK: DestinationKind = {
  connects: 'url',
  secret: null,
  console: null,
  holds: ['transactions', 'trades'],
  signingSecret: true,
  failure: 'failed_runs',
  columns: false,
  target: {
    keys: ['url'],
    resources: {},
    steps: null,
    makes: null,
    hasAddress: false,
  },
  mapping: NOT_MAPPED,
  mapsCategories: false,
  demoRows: null,
  texts: {
    name: 'Webhook',
    recipient: 'a webhook',
    target: 'An address of your own',
    for: 'Signed JSON to a server of your own, for developers.',
    needs: 'An https address that answers POST requests and verifies their signature.',
    sends: 'Events with up to 500 rows each: all fields of a transaction or trade.',
    asks: 'Nothing: you send Tributary’s requests to your own server.',
    mayDo: 'Nothing: it needs no link',
    stays: 'What your server stored stays there. The signing secret ends.',
    ends: 'end its signing secret and remove its log of deliveries',
    makes: '',
    balances: null,
    guide: 'webhooks',
  },
};
