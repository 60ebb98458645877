import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/connections.ts';

export const CONNECTIONS: typeof english.CONNECTIONS = {
  title: 'Ngā hononga',
  link: 'Honoa he pēke',
  none: 'Kāore anō he pēke kua honoa',
  noneText:
    'Kotahi te hononga ki te pēke, ki te kaitakawaenga haumi rānei. I mua i te tiritanga o tētahi mea, ka kite koe mā wai, he aha hoki, ā, ka taea e koe te whakamutu i ngā wā katoa.',
  actionsOf: (bank) => `Ngā mahi mō ${bank}`,
  reauthorize: 'Whakamanahia anō',
  refresh: 'Tāmatahia',
  delete: 'Mukua',
  open: 'Ngā taipitopito me ngā whakaaetanga',
  accounts: (count) => `${numberText(count)} pūkete`,
  noAccounts: 'Kāore anō he pūkete kua whakarārangitia.',
  settling: 'Kei te whakarārangi i ngā pūkete…',
  refreshed: (ago) => `I tāmatahia: ${ago}`,
  neverRefreshed: 'Kāore anō kia tāmatahia',
  until: (day) => `Te whakaaetanga: tae noa ki ${day}`,
  endless: 'He whakaaetanga mutunga kore',
  unavailable: 'Kua kore e whakarārangitia',
  linkedTwice: 'Kua rua ngā honotanga',
  countedOnce: 'kua rua ngā honotanga, kotahi te tatauranga',
  notInTotals: 'kāore i ngā tapeke',
  status: {
    pending: 'Kei te whakarite',
    active: 'Kua honoa',
    expiring: 'Ka tata te mōnehu',
    expired: 'Kua mōnehu te whakaaetanga',
    revoked: 'Kua mukua',
  },
  daysLeft: (days) => (days < 1 ? 'Ka mōnehu i tēnei rā' : `Ka mōnehu i roto i te ${numberText(days)} rā`),
  type: {
    transaction: 'O ia rā',
    savings: 'Penapena',
    'credit-card': 'Kāri nama',
    loan: 'Taurewa',
    investment: 'Haumi',
    'term-deposit': 'Penapena wā pūmau',
    other: 'Ētahi atu',
  },
  refreshing: {
    justNow: (bank) => `${bank}: kātahi anō ka pānuitia`,
    recent: (ago, again) => `I tāmatahia: ${ago}. Ka taea te pātai anō ki te pēke: ${again}.`,
    balances: (read, all) =>
      read === all
        ? `${numberText(read)} toenga kua pānuitia.`
        : `${read} o te ${numberText(all)} toenga kua pānuitia.`,
    runs: (runs) =>
      runs === 0
        ? 'Kāore he tukutahi hohe e pānui ana i tēnei pēke.'
        : `${numberText(runs)} tukutahi kua tīmata. Ka haere tonu te whakahaerenga kua tīmata kē.`,
  },
  failed: {
    reauthorize: (bank) => `Kāore e taea te whakamana anō i ${bank} ināianei`,
    refresh: (bank) => `Kāore te hononga ki ${bank} i tāmatahia`,
    delete: (bank) => `Kāore te hononga ki ${bank} i mukua`,
  },
  deleting: {
    title: (bank) => `Mukua te hononga ki ${bank}?`,
    does: 'Kāore e taea tēnei te wete. Ka pēnei:',
    accounts: (count) => `ka tangohia i Tributary: ${numberText(count)} pūkete`,
    stops: (names) =>
      names.length === 1
        ? `ka whakamutua te tukutahi ${names.join('')}`
        : `ka whakamutua ngā tukutahi ${names.join(', ')}`,
    looking: 'ka whakamutua ngā tukutahi e pānui ana i tēnei; kei te rapu ko ēhea…',
    unknown: 'ka whakamutua ngā tukutahi katoa e pānui ana i tēnei',
    syncsFailed: 'Kāore i taea te rapu ko ēhea ngā tukutahi e pānui ana i tēnei',
    stays: 'Ka noho tonu ki ō ūnga ngā mea kua tukuna.',
  },
};

export const LINKED: typeof english.LINKED = {
  bank: 'pēke',
  completed: (what) => `Kua honoa tō ${what.toLowerCase()}`,
  completedText: 'Ka puta ngā pūkete ki raro nei ina oti te whakarārangi.',
  twice: 'Kua honoa kētia ēnei pūkete',
  twiceText:
    'Kei tētahi atu hononga hoki ēnei. Kotahi noa te tatauranga i ngā tapeke; mukua tētahi o ngā hononga e rua mēnā kāore e hiahiatia ngā mea e rua.',
  failed: (what) => `Kāore tō ${what.toLowerCase()} i honoa`,
  unknown: 'Kāore he mea i tiria. Ka taea e koe te tīmata anō i ngā wā katoa.',
  reasons: {
    consent_denied: 'I whakahēngia te whakaaetanga i te pēke. Kāore he mea i tiria.',
    cancelled: 'I whakakorea e koe. Kāore he mea i tiria.',
    authentication_failed: 'Kāore i taea e te pēke te takiuru i a koe. Kāore he mea i tiria.',
    timeout: 'He roa rawa te whakautu a te pēke. Whakamātauria anō ā ētahi meneti.',
    institution_error: 'I pā tētahi hapa ki te pēke. Whakamātauria anō ā muri ake.',
    not_eligible: 'Kāore te pēke e tuku ana i tēnei mō ō pūkete.',
    session_expired: 'I nui ake i te 30 meneti te roa o te hono. Tīmata anō.',
    connection_limit: 'Kāore he hononga wātea i tō mahere. Mukua tētahi, whakarerekētia rānei te mahere.',
    connection_deleted: 'I mukua te hononga i taua wā tonu.',
    too_many_attempts: 'He maha rawa ngā huakanga o te whārangi o tērā ratonga. Tīmata anō i konei.',
    institution_mismatch: 'I takiuru koe ki pēke kē, ehara i te pēke hei whakamana anō.',
  },
};

/** Where a person chose one bank, and the vendor's page linked another. */
export const OTHER_BANK: typeof english.OTHER_BANK = {
  title: (linked, chosen) => `Ko ${linked} i honoa, ehara i a ${chosen}`,
  text: (chosen, through) =>
    `I kōwhiri koe i ${chosen}, engari he pēke kē i kōwhiria mā ${through}. Honoa hoki a ${chosen}, waiho rānei kia pēnei tonu.`,
  link: (chosen) => `Honoa a ${chosen}`,
  keep: 'Waiho kia pēnei tonu',
  failed: 'Kāore tērā i angitu',
};

export const NEW_CONNECTION: typeof english.NEW_CONNECTION = {
  title: 'Honoa he pēke',
  intro:
    'Kōwhiria tō pēke, tō kaitakawaenga haumi rānei. I mua i te tiritanga o tētahi mea, ka kite koe mā wai, he aha hoki.',
  search: 'Rapua mā te ingoa',
  ways: (count) => `${count} ara hei hono`,
  choose: (bank) => `Me pēhea te hono ki ${bank}`,
  called: (way, bank) => `${way} (${bank})`,
  outage: 'Kua whati te ratonga ināianei',
  closed: 'Kāore e tukuna ana',
  results: (count) => `${numberText(count)} umanga pūtea`,
  none: 'Kāore he umanga pūtea i kitea',
  noneText: (text) => `Kāore he mea ko “${text}” te ingoa. Whakamātauria tētahi wāhanga o te ingoa.`,
  nothing: 'Kāore anō he kaiwhakarato kua whakaritea, nō reira kāore he mea hei hono.',
  failed: (bank) => `Kāore e taea te huaki i ${bank} ināianei`,
};

export const CONNECTION: typeof english.CONNECTION = {
  accounts: 'Ngā pūkete',
  consents: 'Ngā whakaaetanga',
  consentsAside: 'Ngā whakaaetanga katoa o tēnei hononga',
  noConsents: 'Kāore he whakaaetanga kua tuhia.',
  ends: 'Ka mutu',
  ended: 'I mutu',
  shares: 'Ngā mea ka tiria',
  status: 'Tūnga',
  reason: 'Take',
  never: 'Kāore he mutunga',
  consentStatus: {
    active: 'Hohe',
    expiring: 'Ka tata te mōnehu',
    expired: 'Kua mōnehu',
    withdrawn: 'Kua unuhia',
  },
};
