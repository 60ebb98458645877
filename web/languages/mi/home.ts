import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/home.ts';

export const HOME: typeof english.HOME = {
  title: 'Kāinga',
  balances: 'Ngā toenga',
  observed: (ago) => `I pānuitia: ${ago}`,
  net: (currency) => `Ngā toenga ${currency}, tangohia ngā nama`,
  noBalance: 'Kāore he toenga',
  investments: 'Ngā haumi',
  investmentsText:
    'E ai ki ngā utu a ngā kaitakawaenga ināianei; kāore i tatauria te moni kei te kaitakawaenga.',
  investmentsLocked:
    'Kāore ngā raraunga haumi i roto i tō mahere, nō reira kāore i tatauria ngā mea kei ngā kaitakawaenga.',
  notRead: (count) => `Kāore i pānuitia i konei: ${numberText(count)} pūkete anō; tirohia ngā pupuringa.`,
  holdings: 'Tirohia ngā pupuringa',
  unavailable: 'Kāore e taea te pānui ināianei',
  lacks: (accounts) => `Kāore i roto: ${accounts.join(', ')}, kāore e taea te pānui ināianei.`,
  none: 'Nau mai ki Tributary',
  noneText:
    'Honoa he pēke kia kite i ngā toenga i konei, kia tāruatia hoki ngā tauwhitinga ki te wāhi e mahi ai koe.',
  begin: 'Whakaaturia mai me pēhea',
  allUnavailable: 'Kāore i taea te pānui i tētahi o ō pūkete i tēnei wā.',
  attention: 'Hei aro māu',
  attentionCount: (count) => `${numberText(count)} take`,
  showAll: (count) => `Whakaaturia te katoa (${count})`,
  showFewer: 'Kia iti iho te whakaatu',
  sign: {
    notCounted: 'Kāore anō kia tatauria',
    question:
      'He nama tēnei nāu, he moni tōrunga rānei? Kāore tō pēke e kī mai; kia whakautua rā anō e koe, kāore e tatauria.',
    owed: 'He nama nāku',
    in_credit: 'He moni tōrunga',
    of: (answer, account) => `${answer}: ${account}`,
    failed: 'Kāore te whakautu i tiakina',
  },
  runs: 'Ngā whakahaerenga hou',
  noRuns: 'Kāore anō he tukutahi kua whakahaeretia.',
  createSync: 'Tāruatia ō pūkete ki te wāhi e mahi ai koe',
  run: {
    queued: 'E tatari ana',
    running: 'E haere ana',
    succeeded: 'I angitu',
    failed: 'I rahua',
    cancelled: 'Kua whakakorea',
  },
  delivered: (added, updated) =>
    added === 0 && updated === 0
      ? 'Kāore he mea hou'
      : `${numberText(added)} haupae kua tāpirihia${updated === 0 ? '' : `, ${numberText(updated)} haupae kua whakahoungia`}`,
  runRejected: (count) => `${count} haupae i whakahēngia`,
  connection: {
    expiring: (days) =>
      days < 1
        ? 'Ka mutu te whakaaetanga i tēnei rā'
        : `Ka mutu te whakaaetanga i roto i te ${numberText(days)} rā`,
    expired: 'Kua mutu te whakaaetanga; kua kore he mea e pānuitia',
    invalidated: 'Kua kore e mahi te āheinga i tukuna',
  },
  sync: {
    destination_auth_expired: 'Kua kore te ūnga e whakaae ki te takiuru',
    destination_resource_missing: 'Kua ngaro i te ūnga te wāhi e tuhia ana',
    destination_disabled: 'I monokia te ūnga i te maha o ngā rahuatanga',
    connection_lost: 'I mukua tētahi pēke e pānuitia ana',
    consent_expired: 'Kua mutu te whakaaetanga o tētahi pēke e pānuitia ana',
    account_unavailable: 'Kua kore te pēke e whakarārangi i tētahi pūkete e pānuitia ana',
    data_invalid: 'I tukuna mai e te pēke tētahi mea kāore e taea te pānui',
    run_failed: 'I rahua te whakahaerenga whakamutunga',
  },
  linkedTwice: (name, more) =>
    more === 0
      ? `Kua rua ngā honotanga o ${name}`
      : `Kua rua ngā honotanga o ${name} me ētahi atu pūkete: ${numberText(more)}`,
  linkedTwiceText:
    'Kotahi noa te tatauranga i ngā tapeke. Mukua tēnei hononga tuarua mēnā kāore e hiahiatia ngā mea e rua.',
  rejected: (count) => `Kāore i taea te tuku i te whakahaerenga whakamutunga: ${count} haupae`,
  unread: (count) => `Kāore i taea te pānui ${count} haupae, nō reira kāore i roto i ngā tau`,
  seeRows: 'Tirohia te take',
  destination: {
    incomplete: 'Kāore anō kia whakaritea',
    reauth_required: 'Kua kore te ūnga e whakaae ki te takiuru; kāore he mea e tuhia ki reira',
    disabled: 'I monokia i te maha o ngā tukunga i rahua; kāore he mea e tukuna ki reira',
  },
  events: {
    failing: 'Kua kore ngā takahanga e tukuna: i rahua ngā tukunga mō ngā rā maha',
    gone: 'Kua kore ngā takahanga e tukuna: i whakautu mai kua kore ia',
  },
  runAgain: 'Whakahaeretia anō',
  open: 'Huakina',
  finish: 'Whakaotihia',
  connect: 'Tūhonoa anō',
  enable: 'Whakahohea anō',
  notConnected: (name) => `Kāore e taea te tūhono i ${name} ināianei`,
  notEnabled: (name) => `Kāore te ūnga ${name} i whakahohea`,
  failed: (name) => `Kāore te tukutahi ${name} i tīmata`,
};
