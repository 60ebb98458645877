import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destination-targets.ts';

/** Choosing where in a destination rows go. */
export const TARGETS: typeof english.TARGETS = {
  kinds: {
    spreadsheet: {
      one: 'ripanga tātai',
      many: 'Ngā ripanga tātai',
      none: 'Kāore he ripanga tātai hei kōwhiri',
      noneText:
        'Ko ngā ripanga tātai anake i hangaia e Tributary, i huakina rānei e koe mā Tributary, ka whakaatuhia mai e Google. Hangaia kētia he mea hou.',
    },
    sheet: {
      one: 'ripa',
      many: 'Ngā ripa',
      none: 'Kāore he ripa i tēnei ripanga tātai',
      noneText: 'Tāpirihia he ripa ki te ripanga tātai, kātahi ka titiro anō.',
    },
    database: {
      one: 'pātengi raraunga',
      many: 'Ngā pātengi raraunga',
      none: 'Kāore he pātengi raraunga hei kōwhiri',
      noneText:
        'Ko ngā whārangi anake i tiria e koe ki a Tributary ka whakaatuhia mai e Notion. Tiria te whārangi kei reira te pātengi raraunga, kātahi ka titiro anō.',
    },
    base: {
      one: 'base',
      many: 'Ngā base',
      none: 'Kāore he base hei kōwhiri',
      noneText: 'Hangaia he base i Airtable, takiuru anō rānei ka tohu i te base i te whārangi o Airtable.',
    },
    table: {
      one: 'ripanga',
      many: 'Ngā ripanga',
      none: 'Kāore he ripanga i konei',
      noneText: 'Hangaia kētia he mea hou.',
    },
    budget: {
      one: 'tahua',
      many: 'Ngā tahua',
      none: 'Kāore he tahua hei kōwhiri',
      noneText: 'Hangaia he tahua ki reira i te tuatahi, kātahi ka titiro anō.',
    },
    folder: {
      one: 'kōpaki',
      many: 'Ngā kōpaki',
      none: 'Kāore he kōpaki hei kōwhiri',
      noneText: 'Hangaia kētia he mea hou.',
    },
    schema: {
      one: 'schema',
      many: 'Ngā schema',
      none: 'Kāore he schema hei kōwhiri',
      noneText:
        'Hoatu ki te kaiwhakamahi pātengi raraunga te mana whakamahi i tētahi schema, kātahi ka titiro anō.',
    },
  },
  how: 'Me haere ngā haupae ki hea?',
  makeNew: (kind) => `He ${kind} hou`,
  existing: (kind) => `He ${kind} kei reira kē`,
  existingHint: 'Ka tāpirihia ngā tīwae e ngaro ana. Ka noho tonu āu ake mea i reira.',
  name: 'Ingoa',
  defaultName: 'Tributary',
  nameMissing: 'Tapaina he ingoa.',
  holds: 'Ka mau ki roto',
  holdsChoices: { transactions: 'Ngā tauwhitinga', holdings: 'Ngā pupuringa', trades: 'Ngā hokohoko' },
  holdsHint: 'Mā tēnei e whakatau ko ēhea ngā tīwae.',
  make: (kind) => `Hangaia te ${kind}`,
  making: 'Tērā pea he hēkona ruarua te roa.',
  makeFailed: (kind) => `Kāore te ${kind} i hangaia`,
  makeFailedText: 'Whakamātauria anō: mēnā i hangaia kētia, ka kitea, kāore e tāruatia te hanga.',
  inside: (kind) => `Me noho ki roto i tēhea ${kind}?`,
  choose: (kind) => `Kōwhiria he ${kind}`,
  chooseIn: (kind, name) => `Kōwhiria he ${kind} i roto i ${name}`,
  chosen: (kind) => `Te ${kind} kua kōwhiria`,
  other: (kind) => `Kōwhiria he ${kind} kē atu`,
  aim: (kind) => `Whakamahia tēnei ${kind}`,
  aimFailed: 'Kāore te wāhi tuhi i whakaritea',
  search: (many) => `Rapua ${many.toLowerCase()}`,
  count: (shown, all) =>
    shown === all ? `${all} hei kōwhiri` : `${numberText(shown)} e hāngai ana o te ${all}`,
  unmatched: 'Kāore he mea pēnei te ingoa. Whakarerekētia te rapu.',
  truncated: (count) =>
    `Ko te ${count} anake e whakarārangitia ana i konei. Ki te ngaro tāu, mukua, whakapūrangatia rānei ētahi i reira.`,
  again: 'Tirohia anō',
  listFailed: (many) => `${many}: kāore i taea te whakarārangi`,
  current: 'E whakamahia ana ināianei',
};
