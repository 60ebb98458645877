import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/api-keys.ts';

export const API_KEYS: typeof english.API_KEYS = {
  title: 'Ngā kī API',
  intro:
    'Ka whakaatu te papatono i tana kī i ia tono. Hoatu he kī ki ia papatono, me ngā korahi e hiahiatia ana anake: ka taea te unu i tētahi me te kore e pā ki ētahi atu.',
  all: 'Ngā kī katoa',
  create: 'Hangaia he kī API',
  none: 'Kāore anō he kī API',
  noneText: 'Hangaia tētahi hei pānui i ō pūkete, hei whakahaere rānei i ō tukutahi, mai i tō ake papatono.',
  status: { active: 'Hohe', expiring: 'Kua whakakapia', revoked: 'Kua unuhia', expired: 'Kua mōnehu' },
  stops: (moment) => `Ka mutu te mahi: ${moment}`,
  expires: (moment) => `Ka mōnehu: ${moment}`,
  addresses: (count) => `Mai i: ${numberText(count)} wāhitau`,
  scopes: (count) => `${numberText(count)} korahi`,
  allScopes: 'Ngā korahi katoa',
  createdBy: (who) => `I hangaia e ${who}`,
  makers: {
    operator: 'te kaiwhakahaere',
    key: (name) => `te kī API “${name}”`,
  },
  legacy:
    'I hangaia i mua i te taenga mai o ngā korahi: ka pānui i ngā mea katoa, kāore e whakarerekē i tētahi mea.',
  facts: {
    prefix: 'Te tīmatanga',
    createdBy: 'I hangaia e',
    expires: 'Ka mōnehu',
    stops: 'Ka mutu te mahi',
    addresses: 'Ka mahi mai i',
    anywhere: 'Ngā wāhitau katoa',
    replaces: 'Ka whakakapi i',
    metadata: 'Raraunga meta',
  },
  scopesTitle: 'Ngā mea e whakaaetia ana',
  rotate: 'Whakakapia',
  revoke: 'Unuhia',
  rotating: {
    title: (name) => `Whakakapia te kī ${name}?`,
    text: 'Ka whiwhi koe i tētahi kī hou: he ōrite te ingoa, ngā korahi, ngā wāhitau me te rā mōnehu. Kotahi noa te whakaaturanga o tana muna.',
    grace: 'Ka mahi tonu te kī tawhito mō te',
    graces: {
      '0': 'kore noa iho: ka mutu tonu atu',
      '1h': '1 haora',
      '24h': '24 haora',
      '7d': '7 rā',
    },
    action: 'Whakakapia te kī',
  },
  revoking: {
    title: (name) => `Unuhia te kī ${name}?`,
    does: 'Kāore e taea tēnei te wete. Ka pēnei:',
    stop: (prefix) => `ka whakahēngia ngā tono katoa me te kī ${prefix}…, i taua wā tonu`,
    used: (ago) => `ka pakaru te mea i whakamahi i te kī (te whakamahinga whakamutunga: ${ago})`,
    unused: 'kāore he mea e pakaru: kāore anō te kī kia whakamahia',
    keep: 'ka noho tonu ō atu kī me ō taupānga kua tūhonoa',
    action: 'Unuhia te kī',
  },
  secret: {
    created: (name) => `Kua hangaia te kī ${name}`,
    rotated: (name) => `Kua whakakapia te kī ${name}`,
    once: 'Tāruatia te muna ināianei. Kotahi noa tēnei whakaaturanga; kāore e taea te whakaatu anō.',
    secret: 'Muna',
    try: 'Whakamātauria',
    tryLabel: 'Te whakahau e whakamahi ana i te kī',
    done: 'Kua tāruatia e au',
  },
  failed: {
    create: 'Kāore te kī i hangaia',
    rename: 'Kāore te ingoa i whakarerekētia',
    rotate: (name) => `Kāore te kī ${name} i whakakapia`,
    revoke: (name) => `Kāore te kī ${name} i unuhia`,
  },
  revoked: (name) => `Kua unuhia te kī ${name}`,
  revokedText: 'Ka whakahēngia te kī i nāianei haere ake.',
};

export const NEW_API_KEY: typeof english.NEW_API_KEY = {
  title: 'Hangaia he kī API',
  name: 'Ingoa',
  nameHint:
    'Te mea ka whakamahi i te kī, kia mōhio ai koe ā muri ake: “Te papatono tahua i te tūmau i te kāinga”.',
  scopes: 'Ngā korahi',
  scopesHint: 'Ngā mea e whakaaetia ana mā te kī. Kāore e taea te whakarerekē ā muri ake.',
  allRead: 'Ngā mea pānui katoa',
  clear: 'Kāore he korahi',
  read: 'Pānui',
  write: 'Pānui, whakarerekē hoki',
  included: 'Kei roto i te korahi e whakarerekē ana i tēnei.',
  chosen: (count) =>
    count === 0
      ? 'Kōwhiria kia kotahi te korahi, neke atu rānei.'
      : `${numberText(count)} korahi kua kōwhiria`,
  groups: {
    account: 'Te mauhanga pūkete',
    connections: 'Ngā hononga',
    data: 'Ngā raraunga pūtea',
    categories: 'Ngā kāwai',
    destinations: 'Ngā ūnga',
    syncs: 'Ngā tukutahi',
    rules: 'Ngā ture',
    events: 'Ngā takahanga',
    keys: 'Ngā kī API me ngā taupānga',
  },
  limits: 'Ngā tepe',
  addresses: 'Ngā wāhitau e whakaaetia ana',
  addressesHint:
    'Kotahi i ia rārangi: he wāhitau IPv4, he awhe pērā i te 203.0.113.0/24, he wāhitau IPv6 rānei. Waiho kia noho kau kia whakaaetia ngā wāhitau katoa.',
  expires: 'Ka mōnehu',
  expiresHint:
    'Ka mutu te mahi a te kī i te mutunga o tēnei rā i te wā UTC. Waiho kia noho kau kia mahi tonu kia unuhia rā anō e koe.',
  metadata: 'Raraunga meta',
  metadataHint: 'Tae atu ki te 50 ō ake takirua, kotahi i ia rārangi: key=value. Kei a koe te tikanga.',
  metadataInvalid: (line) => `Kāore he tohu ōrite i roto i te “${line}”. Tuhia kia pēnei: key=value.`,
};

/** What each scope allows, as docs/scopes.md says it in English. */
export const SCOPE_WORDS: typeof english.SCOPE_WORDS = {
  'account:read':
    'Pānui i te mauhanga pūkete, hāunga anō ngā mea e whakaatu ai te `GET /v2/me` ki ngā kī katoa',
  'connections:read':
    'Whakarārangi i ngā umanga pūtea, pānui i ngā hononga, i ngā whakaaetanga me ngā mauhanga o ngā kōnae tauākī',
  'connections:write':
    'Hono i ngā pēke, pānui i ngā wātū hono; tukuatu, tango, wete, muku i ngā kōnae tauākī; whakahou, tāmata, muku i ngā hononga; whakaatu i te tikanga o te toenga tōrunga o te taurewa, o te kāri rānei',
  'data:read':
    'Pānui i ngā pūkete, ngā toenga, ngā taipitopito, ngā tauwhitinga, ngā pupuringa, ngā hokohoko me ngā kāwai a ngā kaiwhakarato',
  'categories:read': 'Pānui i te rākau kāwai me ngā tirohanga kua tiakina',
  'categories:write':
    'Whakarerekē i te rākau kāwai, i ngā waehere e kerēmetia ana e ōna kāwai, i ngā tirohanga hoki kua tiakina',
  'destinations:read': 'Pānui i ngā ūnga, whakarārangi hoki i ngā mea kei roto',
  'destinations:write': 'Tūhono, hanga, whakatau, muku i ngā ūnga, whakakapi hoki i ngā muna haina',
  'syncs:read': 'Pānui i ngā tukutahi, ō rātou whakahaerenga me ngā whakamahere kāwai',
  'syncs:write': 'Hanga, whakarerekē, whakahaere, muku i ngā tukutahi, tāpiri hoki i ngā huinga ture',
  'rules:read': 'Pānui i ngā huinga ture me ngā ture',
  'rules:write': 'Whakarerekē i ngā huinga ture me ngā ture',
  'events:read': 'Pānui i ngā takahanga me ngā ūnga takahanga',
  'events:write': 'Whakarerekē i ngā ūnga takahanga, tuku ping, tuku anō hoki i ngā takahanga',
  'keys:write':
    'Pānui, hanga, whakakapi, unu i ngā kī API; tūhono, whakarerekē, unu i ngā taupānga SimpleFIN; momotu i ngā taupānga',
};
