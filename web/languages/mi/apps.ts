import type * as english from '../../src/text/apps.ts';

export const AGENTS: typeof english.AGENTS = {
  title: 'Ngā māngai (MCP)',
  intro:
    'Ka pānui ngā māngai AI i ō pūkete, ka whakahaere i ō tukutahi mā te Model Context Protocol. Ka kite koe i ngā mea e tonoa ana e te māngai, ka āhei koe ki te tuku i ētahi noa iho, ki te momotu hoki i ngā wā katoa.',
  address: 'Te wāhitau o te tūmau MCP',
  addressText:
    'E hiahiatia ana tēnei wāhitau e ngā māngai katoa. Kāore he mea atu anō mēnā ka takiuru koe mā te OAuth.',
  local:
    'Ka taea tēnei wāhitau mai i tēnei rorohiko, i tōna whatunga rānei anake. Ka taea e ngā māngai kei reira; engari ka tono mai a Claude i te tukutuku me ChatGPT i wāhi kē, nō reira me whai wāhitau https tūmatanui (MCP_URL).',
  choose: 'Whakaritea',
  which: 'Māngai',
  oauth:
    'Ka huaki te māngai i tētahi whārangi o Tributary; ka takiuru koe i reira, ka kōwhiri i ngā mea e whakaaetia ana māna.',
  withKey: 'Mā te kī API kē',
  withKeyText: 'Kia iti ngā korahi o te kī a te māngai: mā te data:read anake ka taea te pānui.',
  createKey: 'Hangaia he kī API',
  apps: 'Kei raro i Ngā taupānga kua tūhonoa ngā māngai kua whai āheinga.',
  seeApps: 'Tirohia ngā taupānga kua tūhonoa',
  guide: 'Ngā mea katoa ka taea e te māngai',
  configuration: (agent) => `Te whirihoranga mō ${agent}`,
  withKeyConfiguration: (agent) => `Te whirihoranga mō ${agent} me te kī API`,
  agents: {
    claude: 'Claude',
    claudeCode: 'Claude Code',
    chatgpt: 'ChatGPT, Codex',
    cursor: 'Cursor',
    vscode: 'VS Code',
    inspector: 'MCP Inspector',
  },
  steps: {
    claude: [
      'I Claude i te tukutuku, i te rorohiko, i te waea rānei, huakina te “Settings → Connectors → Add custom connector”.',
      'Tāurua te wāhitau i runga ake nei.',
      'Kōwhiria te “Connect”, takiuru mai ki konei, ā, kōwhiria ngā mea e whakaaetia ana mā Claude.',
    ],
    claudeCode: ['Whakahaeretia tēnei whakahau:', 'Kātahi ka pato i te /mcp i Claude Code kia takiuru ai.'],
    chatgpt: [
      'Huakina te “Settings → Connectors → Create”.',
      'Tāurua te wāhitau i runga ake nei, ka kōwhiri i te OAuth.',
      'Takiuru mai ki konei, ā, kōwhiria ngā mea e whakaaetia ana mā ChatGPT.',
    ],
    cursor: ['Tuhia tēnei ki te mcp.json:', 'Kātahi ka tono a Cursor kia takiuru koe.'],
    vscode: ['Tuhia tēnei ki te .vscode/mcp.json:', 'Kātahi ka tono a VS Code kia takiuru koe.'],
    inspector: [
      'Whakahaeretia tēnei whakahau:',
      'Kōwhiria te “Streamable HTTP” hei kawenga, tāurua te wāhitau i runga ake nei, ka takiuru mā te OAuth.',
    ],
  },
  notes: {
    claude:
      'Ka tono mai i te whatunga o Anthropic, nō reira me tūmatanui te wāhitau. Kāore e whakaae ki te kī API.',
    claudeCode: null,
    chatgpt: 'Ka tono mai i te whatunga o OpenAI, nō reira me tūmatanui te wāhitau.',
    cursor: null,
    vscode: 'Ki te whakamahia he kī, kotahi te pātainga mai a VS Code, kia kore ai e noho ki tētahi kōnae.',
    inspector: 'Ki te whakamahia he kī, kōwhiria te pane Authorization hei whakakapi i te OAuth.',
  },
};

export const CONNECTED_APPS: typeof english.CONNECTED_APPS = {
  title: 'Ngā taupānga kua tūhonoa',
  intro:
    'Ngā taupānga me ngā māngai i tūhonoa mā te OAuth e ngā mema o tēnei pūkete. Ki te momotuhia, ka mutu tonu atu te āheinga.',
  none: 'Kāore he taupānga kua tūhonoa',
  noneText: 'Tūhonoa tētahi māngai pērā i a Claude, ā, ka puta ki konei me ngā mea e whakaaetia ana māna.',
  connect: 'Tūhonoa he māngai',
  status: { active: 'Kua tūhonoa', revoked: 'Kua momotuhia', expired: 'Kua mutu' },
  may: 'Ka whakaaetia tēnei:',
  unnamed: 'Taupānga ingoakore',
  facts: {
    returns: 'Ka hoki ki',
    uses: 'Ka whakamahi i',
    ends: 'Ka mutu ki te kore e whakamahia',
  },
  resources: { mcp: 'Te tūmau MCP', v2: 'Te API' },
  disconnect: 'Momotuhia',
  disconnectOf: (name) => `Momotuhia: ${name}`,
  disconnecting: {
    title: (name) => `Momotuhia te taupānga ${name}?`,
    text: 'Ka mutu tonu atu te mahi a ana tokene. Ka āhei ia ki te tono anō. Ka mau tonu ki a ia ngā mea kua pānuitia e ia.',
    failed: (name) => `Kāore te taupānga ${name} i momotuhia`,
    done: (name) => `Kua momotuhia te taupānga ${name}`,
    doneText: 'Kua kore e taea e ia te pānui, te whakarerekē rānei i tētahi mea.',
  },
};

export const SIMPLEFIN: typeof english.SIMPLEFIN = {
  title: 'Te arawhiti SimpleFIN',
  intro:
    'Ka pānui ngā papatono tahua e mōhio ana ki te SimpleFIN, pērā i a Actual Budget, i ō pūkete pēke i konei: ngā ingoa, ngā toenga me ngā tauwhitinga. Kāore rātou e whakarerekē i tētahi mea, kāore hoki e kite i ngā pūkete haumi.',
  how: 'Tūhonoa he papatono',
  steps: [
    'Hangaia he tokene whakarite, kotahi mā ia papatono.',
    'Whakapiria ki te papatono i te wāhi e tono ana i te tokene whakarite SimpleFIN, i roto i te 7 rā.',
    'Ka tangohia e te papatono, ā, ka puta ki raro nei.',
  ],
  programs: [
    [
      'Actual Budget',
      'Settings → Bank sync → Set up SimpleFIN. Ka whakaatu i ngā rahinga katoa hei tāra Amerika, ahakoa te momo moni o te pūkete.',
    ],
    ['Sure', 'Settings → SimpleFIN. Me whai wāhitau https tūmatanui.'],
    [
      'Firefly III (data importer)',
      'Kōwhiria te SimpleFIN, tuhia hoki he rā tīmata. Me whai wāhitau tūmatanui.',
    ],
    ['Home Assistant', 'Tāpirihia te whakauru SimpleFIN. Me https.'],
  ],
  programsTitle: 'Te wāhi hei whakapiri',
  guide: 'Ngā papatono ka mahi, me ngā mea e hiahiatia ana',
  create: 'Hangaia he tokene whakarite',
  creating: 'Te hanga tokene whakarite',
  name: 'Te ingoa o te papatono',
  twoDecimals: {
    label: 'Whakaawhiwhia ngā rahinga ki te rua mati ā-ira',
    hint: 'E hiahiatia ana e Actual Budget mō ngā momo moni e toru nei ngā mati ā-ira, pērā i te dinar o Kuwait; ko te nuinga o ngā papatono ka pānui i ngā rahinga tika tonu.',
    set: 'Rua ngā mati ā-ira',
  },
  leaveOutExtra: {
    label: 'Waiho atu ngā ID me ngā kāwai',
    hint: 'He āpure tō te kawa mō ēnei, ko extra te ingoa. He ruarua ngā papatono e pānui ana.',
    set: 'Kāore he ID, he kāwai rānei',
  },
  failedCreate: 'Kāore te tokene whakarite i hangaia',
  secret: {
    title: (name) => `Te tokene whakarite mā ${name}`,
    text: 'Tāruatia ināianei. Kotahi noa tēnei whakaaturanga, kotahi te whakamahinga, ā, ka mutu i roto i te 7 rā.',
    label: 'Tokene whakarite',
    done: 'Kua tāruatia e au',
  },
  tokens: 'Ngā tokene whakarite',
  noTokens: 'Kāore anō he tokene whakarite.',
  tokenStatus: {
    open: 'Kāore anō kia whakamahia',
    claimed: 'Kua whakamahia',
    expired: 'Kua mōnehu',
    revoked: 'Kua unuhia',
  },
  ends: (ago) => `Ka mutu: ${ago}`,
  madeOn: (day) => `I hangaia: ${day}`,
  apps: 'Ngā papatono',
  noApps: 'Kāore anō he papatono kua tūhonoa.',
  appStatus: { active: 'Kua tūhonoa', revoked: 'Kua unuhia' },
  revoke: 'Unuhia',
  revokingToken: {
    title: (name) => `Unuhia te tokene whakarite mā ${name}?`,
    text: 'Kua kore e taea te whakamahi.',
  },
  revokingApp: {
    title: (name) => `Unuhia te papatono ${name}?`,
    text: 'Ka mutu tonu atu te mahi a ana taipitopito takiuru. Kāore e pā ki ētahi atu papatono. Kia tūhonoa anō, hangaia he tokene whakarite hou.',
  },
  failedRevoke: (name) => `Kāore i unuhia: ${name}`,
  edit: 'Whakatikaina',
  editTitle: (name) => `Whakatikaina te papatono ${name}`,
  failedEdit: 'Kāore te papatono i whakarerekētia',
  revoked: (name) => `Kua unuhia: ${name}`,
  revokedText: 'Ka whakahēngia i nāianei haere ake.',
};
