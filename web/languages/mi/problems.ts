import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/problems.ts';

export const PROBLEMS: typeof english.PROBLEMS = {
  title: 'Kāore tēnei i taea te uta',
  failed: 'Kāore tērā i angitu',
  unreachable: 'Kāore te ratonga e whakautu ana. Tirohia tō hononga ipurangi, kātahi ka whakamātau anō.',
  pageMissing: 'Kāore te whārangi i utaina',
  scriptMissing:
    'Kei te ngaro tēnei wāhanga o te taupānga. Whakamātauria anō ā muri ake; ki te pērā tonu, pūrongohia.',
  unknown: 'I pā tētahi mea ohorere i tēnei whārangi. Utaina anō; ki te pā anō, pūrongohia.',
  signedOut: 'Kua mutu tō wātū, nō reira kāore he mea i pānuitia, i whakarerekētia rānei.',
  reference: (id) => `Tohutoro: ${id}`,
  explain: 'Te tikanga o tēnei',
  switchTo: (record) => `Huri ki ${record}`,
  againAt: (time) => `Ka whakaae tō pēke ki tētahi pānui anō hei te ${time}. Ka pānuitia i taua wā.`,
  again: 'Whakamātauria anō',
  signIn: 'Takiuru anō i tētahi ripa hou',
  signInHint:
    'Kātahi ka hoki mai ki tēnei whārangi, ka mahi anō i tāu i mahi ai. Ka noho tonu ngā mea i tāurua e koe.',
  dismiss: 'Whakawāteahia',
  undo: 'Wetekina',
  undoShortcut: 'Control+Z Meta+Z',
  undoKeys: 'Pēhia te Control Z hei wete.',
  undone: 'Kua wetekina',
  partlyUndone: 'Kāore ngā mea katoa i wetekina',
  loading: 'Kei te uta',
  cancel: 'Whakakore',
  close: 'Katia',
  save: 'Tiakina',
  copy: 'Tāruatia',
  copied: 'Kua tāruatia',
  showMore: 'Whakaaturia ētahi atu',
  printedOnly: (shown, all) =>
    `Ko te ${numberText(shown)} tuatahi o ngā tāurunga katoa (${numberText(all)}). Tikiakehia he kōnae mō te katoa.`,
  listKeys: 'Whakamahia ngā pātuhi pere hei neke i waenga i ngā haupae, me te Enter hei huaki.',
  asTable: 'Whakaaturia hei ripanga',
  dayOutOfRange: 'Kei waho tēnei rā i te awhe ka taea te whakaatu.',
};

/** For people who may not use a page (docs/sign-in.md#members). */
export const ROLES: typeof english.ROLES = {
  title: 'Mā te kaipupuri anake tēnei e mahi',
  text: 'Ka taea e koe te pānui i tēnei pūkete, engari kāore e taea te whakarerekē. Tonoa tētahi o ngā kaipupuri kia mahi, kia whakarerekē rānei i tō tūranga.',
  sentence: 'Mā te kaipupuri anake tēnei e whakarerekē.',
};
