import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-runs.ts';

const rows = (count: number) => `${numberText(count)} haupae`;

function deliveredWords(added: number, updated: number): string {
  return [`${rows(added)} i tāpirihia`, ...(updated === 0 ? [] : [`${rows(updated)} i whakahoungia`])].join(
    ', ',
  );
}

/** One run of a sync. */
export const SYNC_RUN: typeof english.SYNC_RUN = {
  unknownFailure: (code) => `Kāore i taea te pānui (${code}).`,
  title: (name) => `Whakahaerenga o ${name}`,
  plainTitle: 'Whakahaerenga',
  back: 'Ngā tukutahi',
  status: {
    queued: 'E tatari ana',
    running: 'E haere ana',
    succeeded: 'I angitu',
    failed: 'I rahua',
    cancelled: 'Kua whakakorea',
  },
  trigger: {
    schedule: 'nā te hōtaka',
    api: 'nā te API',
    dashboard: 'i tīmataria i konei',
    webhook: 'i tonoa e te pēke',
    resync: 'he tukutahi anō',
  },
  started: 'I tīmata',
  ended: 'I mutu',
  took: 'Te roa',
  by: 'I pēhea te tīmata',
  days: 'Ngā rā',
  range: (from, to) => `${from} ki ${to}`,
  queuedFor: 'E tatari ana mai i',
  live: 'Mataora',
  polling: 'Ka whakahoungia ia hēkona ruarua',
  counts: 'Ngā haupae',
  count: {
    processed: 'I pānuitia',
    added: 'I tāpirihia',
    updated: 'I whakahoungia',
    rejected: 'I whakahēngia',
    skipped_by_rules: 'I pekea e ngā ture',
  },
  rejectedText:
    'Kāore i taea te pānui i te pēke i ngā haupae i whakahēngia, kāore rānei e taea e te ūnga te pupuri kia pēnei tonu. Ka ngana anō ina rerekē.',
  accounts: 'Ngā pūkete',
  account: {
    waiting: 'E tatari ana',
    succeeded: 'Kua tukuna',
    failed: 'I rahua',
    incomplete: 'Kāore i oti',
  },
  incompleteText:
    'Kāore anō kia tukuna te katoa: i mutu wawe te whakahaerenga, kei te uta tonu rānei te pēke i tōna hītori. Ka haere tonu te whakahaerenga e whai ake nei.',
  unchanged: 'Kāore he mea hou',
  rejected: (count) => `${rows(count)} i whakahēngia`,
  othersUpToDate: 'Kua hou kē ērā atu mea katoa.',
  line: (added, updated) =>
    [added === 0 ? '' : `${rows(added)} i tāpirihia`, updated === 0 ? '' : `${rows(updated)} i whakahoungia`]
      .filter((part) => part !== '')
      .join(', '),
  read: (count) => `${rows(count)} i pānuitia`,
  progress: {
    queued:
      'E tatari ana te whakahaerenga ki tōna wā. Ka taea e koe te wehe i tēnei whārangi; ka haere tonu te whakahaerenga.',
    running:
      'Kei te pānuitia ngā haupae i te pēke, kei te tukuna. Ka taea e koe te wehe i tēnei whārangi; ka haere tonu te whakahaerenga.',
  },
  cancel: 'Whakakorea te whakahaerenga',
  cancelFailed: 'Kāore te whakahaerenga i whakakorea',
  cancelled:
    'I whakakorea tēnei whakahaerenga. Ka whai mana ngā mea kua tukuna; ka haere tonu te whakahaerenga e whai ake nei mai i reira.',
  succeeded: (added, updated) =>
    added + updated === 0 ? 'Kua hou kē ngā mea katoa.' : `${deliveredWords(added, updated)}.`,
  rows: (where) => `Huakina: ${where}`,
  deliveries: 'Ngā tukunga a tēnei webhook',
  destination: 'Haere ki te ūnga',
  sync: 'Haere ki te tukutahi',
  runAgain: 'Whakahaeretia anō',
  noLines: 'Kāore anō he pūkete kua pānuitia.',
};

/** `failure.code` of a run: what happened and what to do. */
export const RUN_FAILURES_TEXT: typeof english.RUN_FAILURES_TEXT = {
  destination_auth_failed: {
    title: 'Kua kore te ūnga e whakaae ki te takiuru',
    text: 'I unuhia te whakaaetanga, kua mōnehu rānei i reira. Tūhonoa anō te ūnga; ka tukuna ngā mea e tatari ana e te whakahaerenga e whai ake nei.',
  },
  destination_resource_missing: {
    title: 'Kua ngaro te wāhi e tuhi ai te tukutahi',
    text: 'I mukua te ripanga tātai, te ripa, te ripanga, te tahua rānei, i tapaina anō, kua kore rānei e tiria. Whakahokia ki reira, kōwhiria rānei he wāhi kē, kātahi ka whakahaere anō i te tukutahi.',
  },
  rate_limited: {
    title: 'Kāore te ūnga, te pēke rānei i whakaae ki ētahi atu tono',
    text: 'I mutu te whakahaerenga, ka ngana aunoa anō. Ka noho tonu ngā mea kua tukuna.',
  },
  timeout: {
    title: 'He roa rawa te whakahaerenga',
    text: 'Ka ngana aunoa anō, ka haere tonu mai i ngā mea kua tukuna. Ki te pā anō, kia iti iho ngā pūkete, kia muri mai rānei te rā tuatahi.',
  },
  superseded: {
    title: 'Nā te tukutahi anō i whakakapi',
    text: 'I tonoa kia tukuna anō ngā mea katoa, nā reira i mutu ai tēnei whakahaerenga. Kāore he mahi māu.',
  },
  run_failed: {
    title: 'I rahua te whakahaerenga',
    text: 'Kāore i taea te pānui i tētahi pēke, kāore rānei te ūnga i whakaae ki ngā haupae. He kōrero anō kei ngā pūkete i raro nei. Ka ngana aunoa anō.',
  },
};

/** Why an account of a run, a dry run or a verification could not be read, by code of the error reference. */
export const ACCOUNT_FAILURES: typeof english.ACCOUNT_FAILURES = {
  upstream_auth_failed:
    'Kua kore te pēke e whakaae ki te takiuru, kua mutu rānei te whakaaetanga. Whakahoungia te hononga.',
  upstream_rate_limited: 'Kāore te pēke e whakaae ki ētahi atu tono i tēnei wā. Ka ngana aunoa anō.',
  upstream_timeout: 'He roa rawa te whakautu a te pēke. Ka ngana aunoa anō.',
  upstream_unavailable: 'Kāore te pēke i te wātea ināianei. Ka ngana aunoa anō.',
  upstream_failed: 'I pā tētahi hapa ki te pēke. Ka ngana aunoa anō.',
  upstream_bad_request: 'I whakahēngia te tono e te pēke. Ki te pā anō, tirohia te hononga.',
  provider_wait: 'I tono te pēke kia tatari i mua i te pānui anō. Ka ngana aunoa anō.',
  gateway_unavailable: 'Kāore te hononga ki te pēke i te wātea. Ka ngana aunoa anō.',
  account_unavailable:
    'Kua kore te pēke e whakarārangi i tēnei pūkete. Tangohia i te tukutahi, tiria anō rānei i te pēke.',
  professional_required: 'Kāore ngā pupuringa me ngā hokohoko i roto i tō mahere.',
  resource_missing: 'Kua kore te pūkete i konei. Tangohia i te tukutahi.',
  internal_error: 'I pā tētahi mea ohorere i te ratonga. Ka ngana aunoa anō.',
};

const FIELDS: Readonly<Record<SetAsideField, string>> = {
  id: 'ID',
  account: 'pūkete',
  amount: 'rahinga',
  currency: 'momo moni',
  date: 'rā',
  trade_date: 'rā',
  symbol: 'haumi',
  quantity: 'maha',
  price: 'utu',
  total_amount: 'rahinga',
  row: 'haupae',
};

const REASONS: Readonly<Record<SetAsideReason, (what: string) => string>> = {
  missing: (what) => `Kāore te pēke i tuku mai i te ${what}.`,
  unreadable: (what) => `Kāore e taea te pānui i te ${what} i tukuna mai e te pēke.`,
  out_of_range: (what) => `Kei waho i te awhe te ${what} i tukuna mai e te pēke.`,
  too_long: (what) => `He roa rawa te ${what} i tukuna mai e te pēke.`,
  contradictory: (what) => `E rua ngā uara rerekē o te ${what} i tukuna mai e te pēke.`,
  other_account: () => 'He pūkete kē tā te haupae e tohu nei.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'He maha ake ngā mati, ngā mati ā-ira rānei o te rahinga i tā te ūnga e whakaae ai.',
  other_currency: 'He rerekē te momo moni i tō te ūnga.',
  day_not_taken: 'Kāore te ūnga e whakaae ki te rā.',
  too_large: 'He nui ake te haupae i tā te ūnga e whakaae ai.',
  refused: 'I whakahēngia te haupae e te ūnga.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: string) => string>(Object.entries(REASONS));
const names = new Map<string, string>(Object.entries(FIELDS));

/** Rows that a run could not deliver. */
export const REJECTED_ROWS: typeof english.REJECTED_ROWS = {
  title: 'Ngā haupae i whakahēngia',
  dismiss: 'Kaua e whakarārangi i te Kāinga',
  dismissed: 'Kua kore te Kāinga e whakarārangi i ēnei haupae',
  dismissedText: 'I tēnei pūtirotiro, kia whakahēngia rā anō e tētahi whakahaerenga ētahi atu haupae.',
  noDay: 'Kāore he rā',
  noId: 'Kāore he ID',
  why: ({ origin, field, reason }) => {
    const what = names.get(field ?? 'row') ?? FIELDS.row;
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(what);
  },
  more: (count) => `Kāore i whakarārangitia i konei: ${rows(count)} anō.`,
};
