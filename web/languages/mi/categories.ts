import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/categories.ts';

// Nouns do not change with the number, so `counted` has nothing to choose between.
const codes = (count: number) => `${numberText(count)} waehere`;
const categories = (count: number) => `${numberText(count)} kāwai`;

export const CATEGORIES: typeof english.CATEGORIES = {
  title: 'Ngā kāwai',
  tabs: 'Ngā kāwai me ngā ture',
  rules: 'Ngā ture',
  intro:
    'Ka hoatu tō pēke i te waehere ki ia tauwhitinga, ā, ka whakaatuhia tō kāwai e kerēme ana i te waehere. Kāore ngā tauwhitinga e whakarerekētia: ka kitea tonu atu te kerēme hou, tae atu ki ngā tauwhitinga o tērā tau.',
  newGroup: 'Rōpū hou',
  addTo: (group) => `Kāwai hou ki ${group}`,
  more: 'Ētahi atu mahi',
  reset: 'Tautuhia anō ki ngā kāwai taunoa',
  showArchived: (count) => `Whakaaturia ngā mea kua whakapūrangatia (${count})`,
  archived: 'Kua whakapūrangatia',
  count: categories,
  noSources: 'Kāore he waehere e kerēmetia ana',
  sources: (names) => names.join(', '),
  emptyGroup: 'Kāore anō he mea i tēnei rōpū. Tāpirihia he kāwai, tōia mai rānei tētahi.',
  onlyArchived: 'Kua whakapūrangatia ngā mea katoa i tēnei rōpū.',
  none: 'Kāore ō kāwai',
  noneText: 'Hangaia ngā kāwai taunoa, ka whakarerekē ai i tāu e pai ai, tīmata rānei ki tō ake rōpū.',
  createDefaults: 'Hangaia ngā kāwai taunoa',
  wholeGroup: (name) => `Te katoa o ${name}`,
  gone: 'He kāwai kua mukua',
  actionsOf: (name) => `Ngā mahi mō ${name}`,
  actions: {
    edit: 'Whakatikaina',
    claims: 'Kōwhiria ngā waehere',
    up: 'Nekehia ki runga',
    down: 'Nekehia ki raro',
    move: 'Nekehia ki tētahi rōpū',
    archive: 'Whakapūrangatia',
    restore: 'Whakahokia',
    delete: 'Mukua',
  },
  done: {
    archived: (name) => `Kua whakapūrangatia te “${name}”`,
    archivedText:
      'Kua hunaia i konei. Ka kerēme tonu i ōna waehere, ā, ka noho tonu ōna tauwhitinga ki roto.',
    restored: (name) => `Kua whakahokia te “${name}”`,
    restoredText: 'Kua whakaatuhia anō.',
    deleted: (name) => `Kua mukua te “${name}”`,
    released: 'Kua wātea anō ōna waehere.',
    reassigned: (name) => `Kua riro ōna waehere i a ${name}.`,
    claimed: (name, count) => `${name}: ${codes(count)} e kerēmetia ana ināianei`,
    claimedText: 'Ka whakaatuhia tēnei kāwai mō ngā tauwhitinga me ēnei waehere i nāianei haere ake.',
    taken: (names) => `I tukuna mai i: ${names.join(', ')}.`,
    reset: 'Kua hoki mai ngā kāwai taunoa',
    resetText: 'He hou ngā kāwai katoa. Tirohia ngā ture e whakarite ana, e rapu ana rānei i tētahi kāwai.',
  },
  failed: {
    move: (name) => `Kāore te “${name}” i nekehia`,
    change: (name) => `Kāore te “${name}” i whakarerekētia`,
    archive: (name) => `Kāore te “${name}” i whakapūrangatia`,
    restore: (name) => `Kāore te “${name}” i whakahokia`,
    create: (name) => `Kāore te “${name}” i hangaia`,
    delete: (name) => `Kāore te “${name}” i mukua`,
    claim: (name) => `Kāore ngā waehere o “${name}” i whakarerekētia`,
    reset: 'Kāore he mea i tautuhia anō',
    codes: 'Kāore i taea te uta i ngā waehere',
  },
  resetting: {
    title: 'Tautuhia anō ki ngā kāwai taunoa?',
    text: (count) =>
      count === 0
        ? 'Ka hangaia ngā kāwai taunoa me ngā waehere e kerēmetia ana e rātou.'
        : `Ka mukua ō kāwai (${numberText(count)}) me ā rātou kerēme, ā, ka hangaia ngā kāwai taunoa hei whakakapi. Kāore e taea tēnei te wete.`,
    rules: 'Ka kore e hāngai ngā ture e tohu ana i tētahi o ō kāwai, nā te mea he ID kē ō ngā kāwai hou.',
    action: 'Tautuhia anō',
  },
};

/** What dragging says to those who hear the page. */
export const DRAGGING: typeof english.DRAGGING = {
  grip: (name) => `Nekehia: ${name}`,
  hint: 'Pēhia te Mokowā (Space) hei hiki, ngā pātuhi pere hei neke, te Mokowā hei tuku iho, te Escape hei whakakore.',
  lifted: (name, place) => `Kua hikina te “${name}”. ${place} Nekehia mā ngā pātuhi pere.`,
  dropped: (name, place) => `Kua tukuna iho te “${name}”. ${place}`,
  cancelled: (name, place) => `Kua hoki te “${name}”. ${place}`,
  place: (at, of, group) => `Te wāhi ${at} o te ${of} i ${group}.`,
  groupPlace: (at, of) => `Te rōpū ${at} o te ${of}.`,
};

export const CATEGORY_FORM: typeof english.CATEGORY_FORM = {
  editCategory: (name) => `Whakatikaina te “${name}”`,
  newGroup: 'Rōpū hou',
  newCategory: (group) => `Kāwai hou ki ${group}`,
  name: 'Ingoa',
  icon: 'Ata',
  iconHint: 'He emoji, he pūriki ruarua rānei.',
  icons: 'Ngā ata e marohitia ana',
  color: 'Tae',
  otherColor: 'He tae kē atu',
  colors: {
    '#2f9e44': 'Kākāriki',
    '#1971c2': 'Kikorangi',
    '#0c8599': 'Kikorangi-kākāriki',
    '#e8590c': 'Karaka',
    '#c2255c': 'Māwhero',
    '#9c36b5': 'Waiporoporo',
    '#495057': 'Kiwikiwi pōuri',
    '#868e96': 'Kiwikiwi',
  },
  create: 'Hangaia',
};

export const MOVING: typeof english.MOVING = {
  title: (name) => `Nekehia te “${name}” ki tētahi rōpū`,
  group: 'Rōpū',
  action: 'Nekehia',
  hint: 'Ka haere ki te mutunga o te rōpū.',
};

export const DELETING: typeof english.DELETING = {
  title: (name) => `Mukua te “${name}”?`,
  cannot: 'Kāore e taea tēnei te wete. Hei huna me te pupuri tonu i ana kerēme, whakapūrangatia kē.',
  holds: (count) => `Kei roto i tēnei rōpū: ${categories(count)}.`,
  cascade: (count) => `Mukua hoki ngā mea kei roto: ${categories(count)}`,
  claims: (count) => `E kerēmetia ana ki konei: ${codes(count)}.`,
  after: 'Ka ahatia ngā waehere?',
  release: 'Tukuna',
  releaseHint: 'Ka hoki ō rātou tauwhitinga ki te kāwai o te waehere matua, ki te kore rānei.',
  reassign: 'Hoatu ki tētahi atu kāwai',
  target: 'Te kāwai ka tango i ngā waehere',
  rules: 'Ka kore e hāngai ngā ture e tohu ana i tēnei.',
  action: 'Mukua',
};

export const CLAIMS: typeof english.CLAIMS = {
  title: (name) => `Ngā waehere o ${name}`,
  intro:
    'Ka haere ngā tauwhitinga me ēnei waehere ki tēnei kāwai. Kotahi te kāwai, i te nui rawa, mō ia waehere.',
  search: 'Rapua ngā waehere',
  codes: 'Ngā waehere a te kaiwhakarato',
  none: 'Kāore he waehere e hāngai ana.',
  left: (count) =>
    count === 0 ? null : `I whakarerekētia i tētahi atu wāhi i muri mai, ka noho tonu pērā: ${codes(count)}.`,
  heldBy: (name) => `Kei ${name} ināianei`,
  here: 'Kei tēnei kāwai',
  follows: (name) => `Ka hoki ki ${name}`,
  free: 'Kāore i tētahi kāwai',
  chosen: (count) => `${codes(count)} kua kōwhiria`,
  takes: (list) => `Mā te tiaki e tuku: ${list.join(', ')}.`,
  takesFrom: (count, name) => `${codes(count)} mai i ${name}`,
  save: 'Tiakina ngā waehere',
};

export const UNCLAIMED: typeof english.UNCLAIMED = {
  title: 'Ngā waehere kāore i tētahi kāwai',
  every: 'Ka tae ngā waehere katoa ki tētahi o ō kāwai.',
  text: 'Kāore he kāwai e whakaatuhia ana mō ngā tauwhitinga me ēnei waehere. Kōwhiria he kāwai hei kerēme i ēnei.',
  count: codes,
  claimFor: (label) => `Te kāwai mō ${label}`,
  choose: 'Kōwhiria he kāwai',
  action: 'Kerēmetia',
  claim: (label) => `Kerēmetia: ${label}`,
};
