import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-checks.ts';

const rows = (count: number) => `${numberText(count)} haupae`;

/** What the next run of a sync would do. */
export const DRY_RUN: typeof english.DRY_RUN = {
  title: 'Whakahaerenga whakamātau',
  intro:
    'Ka pānui i te pēke i ngā mea ka pānuitia e te whakahaerenga e whai ake nei, ka whakaatu ka ahatia. Kāore he mea e tuhia.',
  action: 'Tīmataria te whakahaerenga whakamātau',
  again: 'Mahia anō',
  reading: 'Kei te pānui i te pēke… Tērā pea ka eke ki te rua meneti.',
  stop: 'Whakamutua',
  failed: 'Kāore te whakahaerenga whakamātau i angitu',
  nothing: 'Kāore he mea e whakarerekētia e te whakahaerenga e whai ake nei',
  nothingText: (count) => `${rows(count)} kua hou kē.`,
  summary: (added, updated, removed, skipped) =>
    [
      `${rows(added)} hei tāpiri`,
      ...(updated === 0 ? [] : [`${rows(updated)} hei whakahou`]),
      ...(removed === 0 ? [] : [`${rows(removed)} hei tango`]),
      ...(skipped === 0 ? [] : [`${rows(skipped)} ka pekea e ngā ture`]),
    ].join(', '),
  unchanged: (count) => `${rows(count)} kāore i rerekē`,
  unreadable: (count) => `Kāore i taea te pānui ${rows(count)}, ā, ka whakahēngia`,
  action_of: { add: 'Tāpirihia', update: 'Whakahoungia', remove: 'Tangohia', skip: 'Pekea' },
  removed: 'He haupae kua kore e tukuna mai e te pēke',
  truncated: (count) => `Kua whakarārangitia te tīmatanga (${rows(count)}); mō te katoa ngā tatauranga.`,
  rows: 'Ngā haupae',
  tags: (tags) => `Ngā tapanga: ${tags}`,
  memo: (memo) => `Tuhipoka: ${memo}`,
  rules: (count) => `${numberText(count)} ture i whakamahia`,
  noDay: 'Kāore anō he rā',
};

/** Whether the destination shows what the bank has. */
export const VERIFY: typeof english.VERIFY = {
  title: 'Manatoko',
  intro:
    'Ka pānui i ngā mea katoa i te pēke me te ūnga, ka whakataurite i ia haupae. Kāore he mea e tuhia. Tērā pea he meneti ētahi te roa.',
  action: 'Tīmataria te manatoko',
  again: 'Manatokohia anō',
  reading: 'Kei te whakataurite i te pēke ki te ūnga… Tērā pea ka eke ki te tekau meneti.',
  stop: 'Whakamutua',
  failed: 'Kāore te manatoko i angitu',
  alike: 'E whakaatu ana te ūnga i ngā mea kei te pēke',
  alikeText: (count) => `${rows(count)} e ōrite ana.`,
  recordText: (count) =>
    `${rows(count)} i tukuna kia rite ki ngā mea kei te pēke. Kāore e taea te pānui i te webhook, nō reira kāore i te mōhiotia i ahatia e tana kaiwhiwhi.`,
  differs: (problems) => `${numberText(problems)} rerekētanga`,
  differsText:
    'Ehara te rerekētanga i te hapa i ngā wā katoa: tērā pea i āta whakatikaina, i āta mukua rānei tētahi haupae e te tangata.',
  counts: {
    bank: 'Ngā haupae i te pēke',
    destination: 'Ngā haupae i te ūnga',
    alike: 'E ōrite ana',
    skipped_by_rules: 'I pekea e ngā ture',
    in_doubt: 'Kāore anō kia whakaūngia, kia tae rā anō ki te whakahaerenga e whai ake nei',
    others: 'Ētahi atu haupae i reira',
    unreadable: 'Kāore i taea te pānui',
    not_compared: 'Kāore i whakatauritea',
  },
  kind: { missing: 'E ngaro ana', extra: 'He tāpiritanga', different: 'He rerekē', doubled: 'E rua i reira' },
  reason: {
    not_delivered_yet: 'Kāore anō kia tukuna.',
    refused: 'Kāore e taea e te ūnga te whakaatu i tēnei haupae kia pēnei tonu.',
    removed_there: 'I tukuna, ā, kua tangohia i reira.',
    withdrawn_by_bank: 'Kua kore te pēke e tuku mai.',
    still_there: 'I tangohia, ā, kua hoki anō ki reira.',
    unknown_position: 'Kāore te pēke me te mauhanga tukunga e mōhio ki tēnei pupuringa.',
    edited_there: 'I whakatikaina ki reira.',
    account_differs: 'Ko te ingoa, te tau, te pēke rānei o te pūkete anake e rerekē ana.',
    changed_since:
      'I whakarerekētia e te pēke, e tētahi ture, e tētahi whakamahere rānei i muri i te tukunga.',
    change_refused: 'I rerekē, ā, kāore e taea e te ūnga te whakaatu i tōna āhua o nāianei.',
    replaced_since: 'Kei reira, engari he ID o mua tōna.',
    stands_twice: 'He nui ake i te kotahi kei reira.',
  },
  remedy: {
    run: 'Mā te whakahaerenga e whai ake nei e whakatika.',
    resync: 'Mā te tukutahi anō e whakatika, ka wetekina hoki ngā whakatikatanga i hiahiatia.',
    person: 'Māu anake e whakatika.',
  },
  refusal: {
    amount: 'He maha ake ngā mati o te rahinga i tā te ūnga e pupuri ai.',
    currency: 'He rerekē te momo moni i tō te tahua.',
    day: 'Kāore te ūnga e whakaae ki tōna rā.',
    size: 'He roa ake te kupu i tā te ūnga e pupuri ai.',
  },
  column: {
    absent: (name) => `Kei te ngaro te tīwae ${name}`,
    wrong_type: (name) => `Kāore te momo o te tīwae ${name} e taea te pupuri i tēnei`,
  },
  columnRemedy: {
    run: 'Mā te whakahaerenga e whai ake nei e tāpiri.',
    resync: 'Mā te tukutahi anō e tāpiri, e whakakī hoki.',
    person: 'Whakarerekētia te momo ki reira.',
  },
  columns: 'Ngā tīwae',
  problems: 'Ngā rerekētanga',
  expected: (name, value) => `${name}: ko te mea tika ko ${value}`,
  found: (value) => `e whakaatu ana: ${value}`,
  quoted: (value) => `“${value}”`,
  empty: 'he takoto kau',
  nothing: 'kore',
  truncated: (count) => `Kua whakarārangitia te tīmatanga: ${numberText(count)} rerekētanga.`,
  unreadable: (count) => `Kāore i taea te pānui ${rows(count)}, kāore hoki i whakatauritea`,
  rejected: (count) => `${rows(count)} i whakahēngia e te ūnga i te whakahaerenga whakamutunga`,
};
