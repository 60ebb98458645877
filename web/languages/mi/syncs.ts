import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/syncs.ts';

const rows = (count: number) => `${numberText(count)} haupae`;
const runs = (count: number) => `${numberText(count)} whakahaerenga`;

/** The list of syncs, and what can be done with one. */
export const SYNCS: typeof english.SYNCS = {
  title: 'Ngā tukutahi',
  create: 'Tukutahi hou',
  none: 'Kāore anō he mea e tāruatia ana',
  noneText:
    'Ka tārua te tukutahi i ngā tauwhitinga, ngā pupuringa, ngā hokohoko rānei ki te ripanga tātai, ki te taupānga tahua, ki te pātengi raraunga, ki te webhook rānei, ka whakahou tonu hoki.',
  noneLinked:
    'Honoa he pēke i te tuatahi. Kātahi ka taea te tārua i ōna tauwhitinga ki te wāhi e mahi ai koe.',
  link: 'Honoa he pēke',
  type: { transactions: 'Ngā tauwhitinga', holdings: 'Ngā pupuringa', trades: 'Ngā hokohoko' },
  copies: (what, count, where) => `${what} (${numberText(count)} pūkete) ki ${where}`,
  status: {
    running: 'E haere ana',
    attention: 'Me aro atu',
    idle: 'Kua hou',
    paused: 'Kua whakatāngia',
    fresh: 'Kāore anō kia whakahaeretia',
  },
  ran: (ago) => `Te whakahaerenga whakamutunga: ${ago}`,
  never: 'Kāore anō kia whakahaeretia',
  next: (when) => `te mea e whai ake nei: ${when}`,
  noNext: 'kāore e whakahaeretia i te wā e whakatā ana',
  run: 'Whakahaeretia ināianei',
  pause: 'Whakatāngia',
  resume: 'Haere anō',
  actionsOf: (name) => `Ngā mahi mō ${name}`,
  delete: 'Mukua',
  follow: 'Whāia te whakahaerenga',
  look: 'Tirohia i ahatia',
  failed: {
    run: (name) => `Kāore te tukutahi ${name} i tīmata`,
    pause: (name) => `Kāore te tukutahi ${name} i whakatāngia`,
    resume: (name) => `Kāore te tukutahi ${name} i haere anō`,
    delete: (name) => `Kāore te tukutahi ${name} i mukua`,
    resync: (name) => `Kāore te tukutahi ${name} i tukuna anō`,
    backfill: (name) => `Kāore te tukutahi ${name} i tīmata ki te whakakī i ēnei rā`,
    save: 'Kāore te whakarerekētanga i tiakina',
  },
  done: {
    pause: (name) => `Kua whakatāngia te tukutahi ${name}`,
    pauseText:
      'Ka whakahaeretia anō ina tono koe kia haere anō. I whakakorea te whakahaerenga kua tīmata kē.',
    resume: (name) => `Kua haere anō te tukutahi ${name}`,
    resumeText: 'Ka whakahaeretia i te wā e whai ake nei o te hōtaka, ina whakahaeretia rānei e koe.',
    run: (name) => `Kei te haere te tukutahi ${name}`,
    runText: 'Ka tae ngā haupae hou me ngā haupae kua rerekē ki te ūnga i te wā o te whakahaerenga.',
  },
  deleting: {
    title: (name) => `Mukua te tukutahi ${name}?`,
    does: 'Kāore e taea tēnei te wete. Ka pēnei:',
    history: 'ka mukua te tukutahi me ōna tautuhinga me te hītori o ngā whakahaerenga',
    stops: 'ka whakamutua te whakahaerenga kua tīmata kē',
    stays: (where) => `Ka noho tonu ki ${where} ngā haupae kua tukuna, me te ūnga me ngā huinga ture.`,
    again:
      'Ki te whakarite koe i tētahi atu tukutahi ki taua ūnga ā muri ake, ka kitea ngā haupae mā ō rātou ID, ā, kāore e tāpirihia ruatia i ngā wāhi e taea ai e te ūnga te rapu.',
  },
};

/** `sync.attention.code`: what is wrong and the one action that fixes it. */
export const ATTENTION: typeof english.ATTENTION = {
  destination_auth_expired: {
    title: 'Kua kore te ūnga e whakaae ki te takiuru',
    text: 'Kāore he mea e tukuna kia tūhonoa anō rā e koe. Hei reira ka tukuna ngā haupae e tatari ana; kāore he mea e ngaro.',
    action: 'Tūhonoa anō',
  },
  destination_resource_missing: {
    title: 'Kua ngaro te wāhi e tuhi ai tēnei tukutahi',
    text: 'I mukua te ripanga tātai, te ripa, te ripanga, te tahua rānei, kua kore rānei e tiria. Whakahokia ki reira, kōwhiria rānei he mea kē.',
    action: 'Kōwhiria he wāhi kē hei tuhi',
  },
  destination_disabled: {
    title: 'I monokia te ūnga i te maha o ngā rahuatanga',
    text: 'Tirohia te mea e whiwhi ana i ngā haupae, kātahi ka whakahohe anō i te ūnga.',
    action: 'Haere ki te ūnga',
  },
  connection_lost: {
    title: 'I mukua tētahi pēke e pānuitia ana e tēnei tukutahi',
    text: 'Tangohia ōna pūkete i te tukutahi, honoa anō rānei te pēke ka kōwhiri i ōna pūkete.',
    action: 'Whakarerekētia ngā pūkete',
  },
  consent_expired: {
    title: 'Kua mutu te whakaaetanga o tētahi pēke e pānuitia ana e tēnei tukutahi',
    text: 'Whakahoungia i te pēke. Kātahi ka pānuitia e te whakahaerenga e whai ake nei ngā mea katoa i pā i waenga.',
    action: 'Whakahoungia te whakaaetanga',
  },
  account_unavailable: {
    title: 'Kua kore te pēke e whakarārangi i tētahi pūkete o tēnei tukutahi',
    text: 'Tērā pea kua katia, kua kore rānei e tiria. Tangohia i te tukutahi, tiria anō rānei i te pēke.',
    action: 'Whakarerekētia ngā pūkete',
  },
  data_invalid: {
    title: 'Kāore te mea i tukuna mai e te pēke e hāngai ki ngā mea o mua',
    text: 'Kāore he mea i tangohia i te ūnga. Ka pānuitia anō ngā mea katoa ia rā kia hāngai rā anō; kāore he mahi māu.',
    action: 'Tirohia te whakahaerenga whakamutunga',
  },
  run_failed: {
    title: 'I rahua te whakahaerenga whakamutunga',
    text: 'Ka ngana aunoa anō. Tirohia i ahatia, whakahaeretia rānei ināianei.',
    action: 'Whakahaeretia ināianei',
  },
};

/** `sync.warnings`: what its settings bring about. */
export const SYNC_WARNINGS: typeof english.SYNC_WARNINGS = {
  same_account_twice: {
    title: 'He nui ake i te kotahi te taenga o tētahi pūkete pēke ki tēnei tukutahi',
    text: (names) =>
      `Kotahi te pūkete i te pēke, engari he nui ake i te kotahi ngā honotanga: ${names.join(', ')}. Ka tukuna ia tauwhitinga kia kotahi mō ia honotanga. Ki te kore koe e hiahia i tērā, waiho kia kotahi, ka tango i ērā atu i te tukutahi.`,
    action: 'Whakarerekētia ngā pūkete',
  },
};

/** The page of one sync. */
export const SYNC: typeof english.SYNC = {
  overview: 'Tirohanga whānui',
  from: 'Mai i',
  to: 'Ki',
  schedule: 'Te whakahaere',
  last: 'Te whakahaerenga whakamutunga',
  next: 'Te whakahaerenga e whai ake nei',
  since: 'Ngā haupae mai i',
  sinceDay: (day) => `Ngā haupae mai i ${day}`,
  ruleset: 'Ngā ture',
  noRuleset: 'Kāore he ture',
  paused: 'Kua whakatāngia',
  anyTime: 'Kāore i te hōtaka',
  history: 'Te hītori o ngā whakahaerenga',
  historyAside: 'Ngā rā 90 kua hipa',
  allRuns: 'Te katoa',
  filter: 'Whakaaturia ngā whakahaerenga',
  noRuns: 'Kāore anō tēnei tukutahi kia whakahaeretia.',
  noRunsOf: 'Kāore he whakahaerenga pēnei i ngā rā 90 kua hipa.',
  settings: 'Ngā tautuhinga',
  change: 'Whakarerekētia',
  changeOf: (what) => `Whakarerekētia: ${what}`,
  name: 'Ingoa',
  nameMissing: 'Tapaina he ingoa.',
  accounts: 'Ngā pūkete',
  accountsAndPlaces: 'Ngā pūkete me ngā wāhi e haere ai',
  categories: 'Te whakamahere kāwai',
  columns: 'Ngā tīwae',
  options: 'Ngā mea ka tāruatia',
  standardColumns: 'Ngā tīwae paerewa',
  categoriesMapped: (count) =>
    count === 0 ? 'Kāore anō kia whakamaheretia' : `${numberText(count)} kāwai kua whakamaheretia`,
  fixed:
    'Kāore e taea te whakarerekē ngā mea ka tāruatia, te ūnga, me te noho o ngā pūkete ki ō rātou ake wāhi. Hei whakarerekē, mukua tēnei tukutahi ka hanga i tētahi atu.',
  saved: 'Kua tiakina',
  savedText: 'Ka whai mana te whakarerekētanga hei te whakahaerenga e whai ake nei.',
  more: 'Ētahi atu',
  tools: 'Te tirotiro me te whakatika',
  toolsText: {
    dryRun: 'Ka ahatia e te whakahaerenga e whai ake nei? Ka pānui i te pēke, kāore he mea e tuhia.',
    verify:
      'E whakaatu ana te ūnga i ngā mea kei te pēke? Ka whakataurite i ia haupae, kāore he mea e tuhia.',
    backfill: 'Pānuitia anō ētahi rā, ka tuku i ngā mea e ngaro ana, kua rerekē rānei i reira.',
    resync: 'Wareware ki ngā mea kua tukuna, ka tuku anō i ngā mea katoa.',
    export: 'Haria ngā haupae hei kōnae, pērā i tā tēnei tukutahi e tuku ai.',
  },
  dryRun: 'Whakahaerenga whakamātau',
  verify: 'Manatoko',
  backfill: 'Whakakīia ngā rā',
  resync: 'Tukutahi anō',
  export: 'Kaweake',
};

export const RESYNC: typeof english.RESYNC = {
  title: (name) => `Tukuna anō ngā haupae katoa o ${name}?`,
  does: (day) => `Ka pānuitia i te pēke ngā mea katoa mai i te ${day}, ka tukuna anō:`,
  known:
    'Ka kitea mā te ID ngā haupae kei te ūnga kē, ka tuhia ki runga. Ka ngaro āu whakatikatanga i ngā tīwae o tēnei tukutahi.',
  webhook: 'Ka whiwhi anō te webhook i ia haupae. Ki te kore te kaiwhiwhi e maumahara ki ngā ID, ka ruatia.',
  run: 'Ka mutu i te tuatahi te whakahaerenga kua tīmata kē.',
  action: 'Tukuna anō ngā mea katoa',
};

export const BACKFILL: typeof english.BACKFILL = {
  title: 'Whakakīia ngā rā',
  intro:
    'Ka pānuitia anō ēnei rā i te pēke, ka tukuna ngā haupae e ngaro ana, kua rerekē rānei i reira. Kāore he mea e tangohia.',
  from: 'Mai i',
  to: 'Ki',
  hint: (day) => `Kaua i mua i te ${day}, te rā tuatahi o tēnei tukutahi.`,
  order: 'Kaua te rā tuatahi e noho ki muri i te rā whakamutunga.',
  action: 'Whakakīia ēnei rā',
};

export const EXPORT: typeof english.EXPORT = {
  title: 'Kaweake i ngā haupae',
  intro:
    'Ka pānuitia i tō pēke i taua wā tonu, i muri i ngā kāwai me ngā ture, pērā i tā tēnei tukutahi e tuku ai.',
  format: 'Hōputu',
  formats: {
    csv: 'CSV, mō ngā ripanga tātai',
    ofx: 'OFX, mō ngā papatono kaute',
    ofx1: 'OFX 1.02, mō ngā papatono kāore e pānui i ngā mea hou ake',
    qif: 'QIF, mō ngā papatono kāore e pānui i te OFX',
    jsonl: 'Ngā rārangi JSON, mō ngā papatono',
  },
  from: 'Mai i',
  to: 'Ki',
  fromHint: 'Ki te noho kau: mai i te rā tuatahi o te tukutahi',
  toHint: 'Ki te noho kau: tae noa ki tēnei rā',
  bom: 'Tohua te kōnae hei UTF-8 (mō ngā putanga tawhito o Excel)',
  action: 'Tikiake',
  reading: (size) => `Kei te pānui… ${size} tae mai ki nāianei`,
  stop: 'Whakamutua',
  done: (name) => `Kua tikiakehia te ${name}`,
  failed: 'Kāore i taea te pānui i te kōnae katoa, nō reira kāore he mea i tiakina',
};

/** The latest runs of a sync beside each other. */
export const RUN_CHART: typeof english.RUN_CHART = {
  label: (count) => `Ngā whakahaerenga hou (${numberText(count)})`,
  description: (count, failed, most, longest) =>
    `${runs(count)}, ${failed === 0 ? 'kāore tētahi i rahua' : `${numberText(failed)} i rahua`}. Te nui rawa i te whakahaerenga kotahi: ${rows(most)}, ${longest}.`,
  run: (at, status, count, duration) => `${at}: ${status}, ${rows(count)}, ${duration}`,
  rows: 'Haupae',
  duration: 'Te roa',
  started: 'I tīmata',
  status: 'Tūnga',
  mark: '×',
};
