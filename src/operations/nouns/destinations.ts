import type { Static } from 'typebox';
import type { destinationResourceSchema, destinationSchema } from '../schemas/destinations.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';
import { webhookDeliveryOperationWords, webhookDeliveryWords } from './webhook-deliveries.ts';

const destination: Static<typeof destinationSchema> = {
  id: exampleId('destination'),
  object: 'destination',
  type: 'webhook',
  name: 'Ledger service',
  status: 'active',
  target: { url: 'https://ledger.invalid/hooks/bank' },
  config: null,
  sync_count: 1,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};
const config = { signing_secret: 'whsec_RVhBTVBMRUVYQU1QTEVFWEFNUExF' };

const made: Partial<Static<typeof destinationSchema>> = {
  type: 'sheets',
  name: 'Google Sheets',
  target: {
    spreadsheet_id: '1EXAMPLEspreadsheet',
    sheet_id: '0',
    spreadsheet_name: 'My money',
    sheet_name: 'Transactions',
  },
};

const sheet: Static<typeof destinationResourceSchema> = {
  object: 'destination_resource',
  type: 'sheet',
  id: '0',
  name: 'Transactions',
  parent: '1EXAMPLEspreadsheet',
  url: 'https://sheets.invalid/1EXAMPLEspreadsheet#gid=0',
};

const SECRET =
  'The address of your own server with the credentials for it. Tried at once, stored sealed, never shown again.';

export const destinationsNoun: Noun = {
  tag: 'destinations',
  description: 'Where syncs write: a spreadsheet, a database, a budgeting app or a signed webhook.',
  resources: {
    destination: {
      description: 'A place that syncs write to.',
      fields: {
        status:
          'incomplete: no target yet; reauth_required: link it again; disabled: a webhook whose deliveries kept failing.',
        target: 'Where it writes; the keys depend on the type.',
        config: 'For a webhook its signing secret, only in the answers that create or rotate it.',
        sync_count: 'Syncs that write to it.',
      },
      example: destination,
    },
    destination_resource: {
      description: 'Something that can be the target of a destination.',
      fields: { parent: 'Its parent, if it has one.', id: "The vendor's own id." },
      example: sheet,
    },
    ...webhookDeliveryWords,
  },
  operations: {
    ...webhookDeliveryOperationWords,
    create_destination: {
      description:
        'A webhook, or a type that connects with a secret. The other types are linked by a person, with a destination link.',
      sent: {
        type: 'webhook, postgres or actual.',
        name: 'Required for a webhook; otherwise the name of the server.',
        target: 'All keys of the type at once. Required for a webhook: its url.',
        secret: SECRET,
      },
      body: { type: 'webhook', name: 'Ledger service', target: { url: 'https://ledger.invalid/hooks/bank' } },
      answer: { ...destination, config, sync_count: 0 },
    },
    update_destination: {
      sent: { secret: `${SECRET} Replaces the one before.` },
      description: 'A target makes a draft active. A metadata key set to null is removed.',
      body: { name: 'Ledger service, new' },
    },
    delete_destination: {
      description: 'Also deletes the syncs that wrote only to it. Delivered data stays where it is.',
    },
    rotate_destination_secret: { answer: { ...destination, config } },
    create_destination_target: {
      sent: {
        name: 'What to call it.',
        parent: "The vendor's id of what it is to lie in, for vendors that need one.",
        type: 'The type of the sync that is to write there: decides the columns.',
      },
      description:
        'For a linked destination without a target, at vendors that can make one; it is active afterwards. When the vendor did not answer, ask again: what it made is found, not made twice.',
      body: { name: 'My money' },
      answer: { ...destination, ...made, config: null, sync_count: 0 },
    },
    list_destination_resources: {
      sent: { type: 'What is listed.', parent: 'Id of their parent.' },
      description:
        'Live from the vendor. A kind that has a parent takes `parent`, which defaults to the current target.',
    },
  },
};
