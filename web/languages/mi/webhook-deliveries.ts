import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/webhook-deliveries.ts';

const rows = (count: number) => `${numberText(count)} haupae`;

export const DELIVERIES: typeof english.DELIVERIES = {
  title: 'Ngā tukunga',
  aside: 'Ngā takahanga hou, kāore he ihirangi haupae',
  none: 'Kāore anō he mea i tukuna. Ka puta ngā takahanga ki konei ina whakahaeretia tētahi tukutahi.',
  noneOfStatus: 'Kāore he tukunga o te rārangi i pēnei te mutunga.',
  filter: 'Whakaaturia ngā tukunga',
  filters: { all: 'Te katoa', failed: 'I rahua', succeeded: 'Kua tukuna' },
  status: { succeeded: 'Kua tukuna', failed: 'I rahua' },
  types: { 'transactions.synced': 'Ngā tauwhitinga', 'trades.synced': 'Ngā hokohoko' },
  rows: (added, updated, removed) =>
    [
      `${rows(added)} hou`,
      ...(updated === 0 ? [] : [`${updated} i whakahoungia`]),
      ...(removed === 0 ? [] : [`${removed} i tangohia`]),
    ].join(', '),
  attempts: (count) => `${numberText(count)} nganatanga`,
  duration: (ms) => `${ms} ms`,
  show: 'Whakaaturia ngā nganatanga',
  event: 'ID takahanga',
  run: 'Whakahaerenga',
  attempt: (number) => `Nganatanga ${number}`,
  answered: (code) => `HTTP ${code}`,
  failures: {
    timeout: 'Kāore he whakautu i te wā tika',
    connection: 'Kāore he hononga',
    refused_address: 'Kāore te wāhitau e whakaaetia',
    answer_too_large: 'He nui rawa te whakautu',
  },
  answer: 'Te whakautu',
  latestAttempts: (count) => `Ngā nganatanga hou (${count})`,
  again: 'Tukuna anō',
  againOf: (event) => `Tukuna anō: te takahanga ${event}`,
  resend: {
    title: 'Tukuna anō tēnei takahanga?',
    text: 'Ka pānui a Tributary i ōna haupae i te pēke i tō rātou āhua o nāianei, ka whakamahi i ō ture me ō kāwai, ka tuku ai i tētahi takahanga hou. Kei te data.new ngā haupae katoa.',
    upsert:
      'Me rokiroki tō kaiwhiwhi i ngā haupae mā ō rātou ID, kia kore ai e tāruatia tētahi. Kāore he mea e rerekē mō ngā whakahaerenga ā muri ake.',
    action: 'Tukuna anō',
    failed: 'Kāore te takahanga i tukuna anō',
    working:
      'Kei te pānui i te pēke, kei te tuku hoki. Waiho kia tuwhera tēnei whārangi; tērā pea he meneti ētahi te roa.',
  },
  window: {
    open: 'Tukuna anō ētahi rā',
    title: 'Tukuna anō he awhe rā',
    text: 'Ka pānuitia i te pēke ngā mea katoa i tukuna mō ēnei rā, ka tukuna anō i ngā takahanga hou. Kei roto ngā rā e rua.',
    sync: 'Tukutahi',
    from: 'Te rā tuatahi',
    to: 'Te rā whakamutunga',
    order: 'Me noho te rā tuatahi ki mua i te rā whakamutunga.',
    missing: 'Kōwhiria he rā.',
    action: 'Tukuna anō',
    failed: 'Kāore ngā rā i tukuna anō',
  },
  sent: {
    title: 'Kua tukuna anō',
    partial: 'Kua tukuna anō tētahi wāhanga',
    text: (sent, deliveries) =>
      `I tangohia e tō kaiwhiwhi: ${rows(sent)}, i roto i te ${numberText(deliveries)} takahanga.`,
    missing: (count) => ` Kua kore i te pēke, i waiho rānei e tētahi ture: ${rows(count)}.`,
    undelivered: (count) => ` Ka tukuna e te whakahaerenga e whai ake nei: ${rows(count)} anō.`,
    failure: (code) => ` I mutu wawe: ${code}.`,
  },
};
