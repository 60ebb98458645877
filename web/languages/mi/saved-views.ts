import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/saved-views.ts';

export const SAVED_VIEWS: typeof english.SAVED_VIEWS = {
  title: 'Ngā tirohanga kua tiakina',
  save: 'Tiakina te tirohanga',
  saveTitle: 'Tiakina ēnei tātari hei tirohanga',
  name: 'Ingoa',
  moves: (days) => `Ko te ${numberText(days)} rā kua hipa i ngā wā katoa`,
  movesHint: 'Ki te kore, ka mau tonu te tirohanga ki te rā tuatahi e whakaatuhia ana ināianei.',
  update: 'Whakahoungia tēnei tirohanga',
  updated: (name) => `Kei te “${name}” ngā tātari e kite nā koe ināianei`,
  left: (name) => `I whakarerekētia te “${name}” i tētahi atu wāhi i muri mai, ka noho tonu pērā.`,
  actionsOf: (name) => `Ngā mahi mō ${name}`,
  rename: 'Tapaina anō',
  renameTitle: (name) => `Tapaina anō: ${name}`,
  delete: 'Mukua',
  deleted: (name) => `Kua mukua te “${name}”`,
  failed: {
    save: 'Kāore te tirohanga i tiakina',
    update: (name) => `Kāore te “${name}” i whakarerekētia`,
    delete: (name) => `Kāore te “${name}” i mukua`,
    restore: (name) => `Kāore i taea te “${name}” te whakahoki`,
    read: 'Kāore i taea te uta i ō tirohanga kua tiakina',
  },
};
