import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destinations.ts';

export const DESTINATIONS: typeof english.DESTINATIONS = {
  title: 'Ngā ūnga',
  add: 'Tāpirihia he ūnga',
  none: 'Kāore anō he ūnga',
  noneText:
    'Ko te ūnga te wāhi e tāruatia ai ō tauwhitinga e te tukutahi: he ripanga tātai, he pātengi raraunga, he taupānga tahua, tō ake tūmau rānei.',
  noTarget: 'Kāore anō kia kōwhiria te wāhi hei tuhi',
  tab: (spreadsheet, tab) => `${spreadsheet} · ${tab}`,
  status: {
    active: 'Hohe',
    incomplete: 'Kāore anō kia oti',
    reauth_required: 'Me takiuru anō',
    disabled: 'Kua monokia',
  },
  noSync: 'Kāore he tukutahi e tuhi ana ki konei',
  writtenBy: (names) => `E tuhia ana e: ${names.join(', ')}`,
  syncs: (count) => `${numberText(count)} tukutahi e tuhi ana ki konei`,
  finish: 'Whakaotihia te whakarite',
  signIn: 'Takiuru anō',
  newSecret: 'Whakahoungia te muna',
  enable: 'Whakahohea',
  actionsOf: (name) => `Ngā mahi mō ${name}`,
  details: 'Huakina',
  failed: {
    link: (name) => `Kāore e taea te huaki i te takiuru ki ${name} ināianei`,
    enable: (name) => `Kāore te ūnga ${name} i whakahohea`,
    rename: (name) => `Kāore te ūnga ${name} i tapaina anō`,
    delete: (name) => `Kāore te ūnga ${name} i mukua`,
    rotate: 'Kāore te muna haina i whakakapia',
    secret: 'Kāore te muna hou i whakaaetia',
    address: 'Kāore te wāhitau i whakarerekētia',
  },
};

/** How connecting ended, for a person who has just come back. */
export const RETURNED: typeof english.RETURNED = {
  completed: 'Kua takiuru koe',
  completedText:
    'Ka āhei a Tributary ki te tuhi ki reira, kia unuhia rā anō e koe te whakaaetanga i konei, i reira rānei.',
  finding: 'Kei te whakaoti i te takiuru…',
  unknownLink: 'Kei te rārangi te ūnga hou. Huakina hei kōwhiri i te wāhi hei tuhi.',
  failed: 'Kāore he mea i tūhonoa',
  unknown: 'Kāore he mea i tiria. Ka taea e koe te tīmata anō i ngā wā katoa.',
  reasons: {
    access_denied:
      'I whakahēngia te āheinga i reira, nō reira kāore he mea i tiria. Ka taea e koe te tīmata anō i ngā wā katoa.',
    cancelled: 'I whakakorea e koe. Kāore he mea i tiria.',
    session_expired: 'I nui ake i te 30 meneti te roa o te takiuru. Tīmata anō.',
    destination_deleted: 'I mukua te ūnga i taua wā tonu.',
  },
};

export const DESTINATION: typeof english.DESTINATION = {
  facts: 'Ngā taipitopito',
  type: 'Momo',
  writesTo: 'Ka tuhi ki',
  open: (vendor) => `Huakina ki ${vendor}`,
  status: 'Tūnga',
  takes: 'Ka tango i',
  holds: { transactions: 'ngā tauwhitinga', holdings: 'ngā pupuringa', trades: 'ngā hokohoko' },
  columns: 'Ngā tīwae',
  columnsOfSync: 'Ka kōwhiria i te tukutahi e tuhi ana ki konei',
  added: 'I tāpirihia',
  changed: 'Te whakarerekētanga whakamutunga',
  syncs: 'Ngā tukutahi e tuhi ana ki konei',
  noSync: 'Kāore anō he tukutahi e tuhi ana ki konei.',
  neverSynced: 'Kāore anō kia whakahaeretia',
  lastSynced: (ago) => `Te whakahaerenga whakamutunga: ${ago}`,
  syncStatus: { idle: 'E noho noa ana', running: 'E haere ana', attention: 'Me aro atu' },
  setUpSync: 'Whakaritea he tukutahi',
  ready: 'Kua rite kia tuhia',
  readyText: 'Whakaritea he tukutahi hei tārua i ō pūkete ki reira.',
  target: 'Kōwhiria te wāhi hei tuhi',
  targetAside: 'Te mahi whakamutunga',
  rename: 'Tapaina anō',
  name: 'Ingoa',
  nameMissing: 'Tapaina he ingoa.',
  changeTarget: 'Whakarerekētia te wāhi hei tuhi',
  changeTargetText:
    'Kāore he tukutahi e tuhi ana ki konei, nō reira ka taea te neke. Ka noho tonu ngā mea i tuhia i mua.',
  targetFixed: (names) =>
    `${names.length === 0 ? 'Kua tuhi kē tētahi tukutahi ki konei' : `E tuhi kē ana ki konei: ${names.join(', ')}`}. Ka maumahara a Tributary ko ēhea ngā haupae kua tukuna, nō reira ka ngaro ērā i tētahi wāhi kē. Hei tuhi ki wāhi kē, tāpirihia he ūnga anō, ka whakarite i tētahi tukutahi ki reira.`,
  reauthorize: 'Takiuru anō',
  reauthorizeWhy: (vendor) =>
    `Ka takiuru koe ki ${vendor}, ka whakaae anō ki te āheinga, ka hoki mai ai ki konei. Ka noho tonu te wāhi tuhi, ngā tukutahi me ngā haupae kua tukuna. Ka mutu te whakaaetanga o mua.`,
  reauthorizeText: (vendor) =>
    `Kua kore a ${vendor} e whakaae ki te takiuru. Takiuru anō: ka noho tonu te wāhi tuhi, ngā tukutahi me ngā haupae kua tukuna.`,
  secretText: (vendor) =>
    `Kua kore a ${vendor} e whakaae ki te muna. Tāurua he muna hou: ka noho tonu te wāhi tuhi, ngā tukutahi me ngā haupae kua tukuna.`,
  replaceSecret: 'Whakahoungia te muna',
  lapsed: 'Kāore e taea te tuhi ki konei',
  disabled: 'Kua whakamutua ngā tukunga',
  gone: 'I whakautu tō kaiwhiwhi 410 Gone, he tono kia mutu a Tributary. Ina rite anō, whakahohea i konei. Kāore he mea e ngaro i waenga.',
  failing: (last) =>
    `E rima ngā whakahaerenga i rahua, tētahi i muri i tētahi, i roto i te rā kotahi, neke atu rānei. ${last}Whakatikaina te kaiwhiwhi, kātahi ka whakahohe i konei. Kāore he mea e ngaro i waenga.`,
  lastAnswer: (answer) => `I pēnei te mutunga o te nganatanga whakamutunga: ${answer}. `,
  enabled: 'Kua whakahohea anō',
  enabledText: 'Ka tukuna ngā mea e tatari ana i te whakahaerenga e whai ake nei o tana tukutahi.',
  renamed: 'Kua tapaina anō',
  renamedText: 'Ko tana ingoa anake i konei kua rerekē.',
  moved: 'Ka tuhi ki te wāhi hou i nāianei haere ake',
  movedText: 'Ka noho tonu ngā mea i tuhia i mua.',
  secretReplaced: 'Kua whakaaetia te muna hou',
  secretReplacedText: 'Ka whakamahia i te whakahaerenga e whai ake nei.',
  address: 'Whakarerekētia te wāhitau',
  addressText:
    'Hei te tukunga e whai ake nei ka haere ngā takahanga ki te wāhitau hou, me te muna haina tonu o mua. Kāore e tukuna anō ngā haupae kua tukuna i mua: tukuna anō he awhe rā i raro nei, tukutahi anō rānei.',
  addressLabel: 'Te wāhitau hou',
  addressMissing: 'Tāurua he wāhitau.',
  delete: 'Mukua',
  deleting: {
    title: (name) => `Mukua te ūnga ${name}?`,
    does: 'Kāore e taea tēnei te wete. Ka pēnei:',
    stops: (names) =>
      names.length === 1
        ? `ka mukua te tukutahi ${names.join('')}, me te hītori o ngā whakahaerenga`
        : `ka mukua ngā tukutahi ${names.join(', ')}, me te hītori o ngā whakahaerenga`,
    stopsUnnamed: (count) =>
      `ka mukua ngā tukutahi e tuhi ana ki konei (${numberText(count)}), me te hītori o ngā whakahaerenga`,
    stays: 'Ka noho tonu ki reira ngā mea katoa i tuhia. Kāore he mea e tangohia i tērā pito.',
    running:
      'Kei te tuhi tētahi whakahaerenga ki konei i tēnei wā. Tāria kia mutu, whakakorea rānei, kātahi ka muku anō.',
  },
};
