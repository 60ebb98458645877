import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/category-change.ts';

const transactions = (count: number) => `${numberText(count)} tauwhitinga`;

const SHOWN = 3;

/** The first few, and how many more there are. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} me ētahi atu (${numberText(more)})`;
}

export const CATEGORY_CHANGE: typeof english.CATEGORY_CHANGE = {
  title: 'Whakarerekētia te kāwai',
  titleOf: (count) => `Whakarerekētia te kāwai: ${transactions(count)}`,
  category: 'Te kāwai hou',
  choose: 'Kōwhiria he kāwai',
  loading: 'Kei te uta i ō kāwai…',
  noCategories: 'Kāore anō ō kāwai. Hangaia ētahi i raro i Ngā kāwai i te tuatahi.',
  how: 'Me pēhea te whakamahi i tēnei?',
  these: (count) =>
    count === 1 ? 'Ko tēnei tauwhitinga anake' : `Ko ēnei tauwhitinga e ${numberText(count)} anake`,
  theseHint:
    'Ka noho tonu ngā mea kē i ō rātou kāwai. Ka tuhia e ngā tukutahi e whakamahi ana i ō kāwai, mai i te rere e whai ake nei.',
  pendingLeft: (count) =>
    `Kei te tārewa tonu ētahi (${numberText(count)}) o ēnei; ka taea te whakarerekē i muri i te tuhinga.`,
  byBank: 'E ai ki te kāwai a te pēke',
  theseDoneText: (count, name) => `Ngā tauwhitinga (${numberText(count)}): ${name}.`,
  claim: 'Whakarerekētia te tikanga o te kāwai a te pēke',
  claims: 'Whakarerekētia te tikanga o ngā kāwai a te pēke',
  claimHint: (names) =>
    `Ka haere ki te kāwai hou ngā mea katoa e kīia ana e te pēke ko ${quoted(names)}: ngā tauwhitinga o mua hoki: i konei, i ngā tukutahi hoki e whakamahi ana i ō kāwai.`,
  codes: 'Tā te pēke ingoa',
  codeCount: (chosen) => `${numberText(chosen)} o ngā mea i tīpakohia e koe`,
  uncoded: (count) =>
    count === 1
      ? 'Kāore te pēke e hoatu kāwai ki tētahi (1) o ēnei, ka noho tonu pērā.'
      : `Kāore te pēke e hoatu kāwai ki ētahi (${numberText(count)}) o ēnei, ka noho tonu pērā.`,
  example: 'Ngā tauwhitinga pērā i',
  claimless: 'Kāore te pēke e hoatu kāwai ki tēnei tauwhitinga, nō reira kāore he mea hei tautapa.',
  claimed: 'Kei tēnei kāwai kē.',
  rule: 'Mahia tēnei i ngā wā katoa mō ngā tauwhitinga pēnei',
  ruleOfSome: 'Mahia tēnei i ngā wā katoa mō ngā tauwhitinga pērā i tētahi o ēnei',
  ruleHint:
    'Ka whakarerekē te ture i ngā tauwhitinga i te ara ki ō ūnga, hei te whakahaerenga e whai ake nei. Ka whakaatu tonu tēnei whārangi i te kāwai e tohua ana e te kāwai a te pēke.',
  claimEffect: (moved, read) =>
    `Ka neke: ${numberText(moved)} o ngā mea kua pānuitia tae mai ki nāianei (${transactions(read)}).`,
  claimOthers: (count) => `Kāore i tīpakohia ētahi o roto: ${transactions(count)}.`,
  claimTakes: (name, count) =>
    count === 1
      ? `Ka ngaro tēnei kāwai pēke i ${name}.`
      : `Ka ngaro i ${name}: ${numberText(count)} kāwai pēke.`,
  like: 'Ko ngā tauwhitinga pēnei ko ērā',
  likeness: 'Whakatauritea',
  likenesses: {
    merchant: 'Ko te kaihoko ko',
    contains: 'Kei roto i te whakaahuatanga',
    equals: 'E tino ōrite ana te whakaahuatanga ki',
  },
  text: 'Kupu',
  onlyAccount: (name) => `I ${name} anake`,
  onlyDirection: { credit: 'Ngā moni kuhu anake', debit: 'Ngā moni puta anake' },
  emptyText: 'Tuhia he kupu hei whakataurite.',
  matches: (matched, read) =>
    `E hāngai ana: ${numberText(matched)} o ngā mea kua pānuitia tae mai ki nāianei (${transactions(read)})`,
  andMore: (count) => `me ētahi atu (${numberText(count)})`,
  ruleset: 'Tāpirihia te ture ki',
  newRuleset: 'He huinga ture hou',
  rulesetName: 'Te ingoa o te huinga ture',
  defaultRuleset: 'Ngā kāwai',
  rulesetLabel: (name, syncs) =>
    syncs === 0
      ? `${name} (kāore he tukutahi e whakamahi ana)`
      : `${name} (${numberText(syncs)} tukutahi e whakamahi ana)`,
  rulesetOff: 'Kua whakawetoa tēnei huinga ture. Whakakāngia i raro i Ngā kāwai kia whai mana ai te ture.',
  ruleName: (name, text) => `${name}: ${text}`,
  orderHint:
    'Ka whakahaeretia ngā ture i runga i te raupapa. Tērā pea ka whakarerekētia tētahi tauwhitinga e ngā ture o mua i te huinga i mua i te kitenga a tēnei ture.',
  save: { these: 'Whakarerekētia te kāwai', claim: 'Whakarerekētia te kāwai', rule: 'Hangaia te ture' },
  failed: {
    these: 'Kāore te kāwai i whakarerekētia',
    claim: 'Kāore te kāwai i whakarerekētia',
    rule: 'Kāore te ture i hangaia',
    undo: 'Kāore te whakarerekētanga i wetekina',
  },
  claimDone: 'Kua whakarerekētia te kāwai',
  claimDoneText: (codes, name) => `Ko ngā mea e kīia ana e te pēke ko ${quoted(codes)}, ko ${name} ināianei.`,
  always: (name) => `Mahia tēnei i ngā wā katoa mō ${name}`,
  ruleDone: (ruleset) => `Kua hangaia te ture ki ${ruleset}`,
  ruleDoneText:
    'Ka whai mana hei te whakahaerenga e whai ake nei o ngā tukutahi e whakamahi ana i tēnei huinga ture.',
  ruleUnused:
    'Kāore anō he tukutahi e whakamahi ana i tēnei huinga ture, nō reira kāore te ture e mahi kia tāpirihia rā anō e koe ki tētahi.',
  syncs: 'Ngā tukutahi tauwhitinga',
  noSyncs: 'Kāore anō ō tukutahi tauwhitinga. Tāpirihia te huinga ture ina hanga koe i tētahi.',
  uses: 'E whakamahi ana i tēnei huinga ture',
  usesNot: 'Kāore e whakamahi ana i tēnei',
  replaces: (name) => `E whakamahi kē ana i ${name}; ka whakakapia tērā ina tāpirihia tēnei`,
  another: 'tētahi atu huinga ture',
  sendsNone: 'Kāore e tuku ana i ō kāwai. Whakakāngia i te tukutahi kia kitea ai tēnei i te ūnga.',
  attach: 'Tāpirihia',
  attachTo: (name) => `Tāpirihia ki ${name}`,
  attachFailed: 'Kāore te huinga ture i tāpirihia',
  readOnly:
    'Ka āhei koe ki te titiro ki tēnei pūkete, kāore ki te whakarerekē. Tonoa tētahi kaipupuri kia mahi i tēnei.',
};
