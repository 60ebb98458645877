import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/transactions.ts';

const transactions = (count: number) => `${numberText(count)} tauwhitinga`;

export const TRANSACTIONS: typeof english.TRANSACTIONS = {
  title: 'Ngā tauwhitinga',
  tabs: 'Ngā tirohanga o ngā tauwhitinga',
  recurring: 'Ngā mea auau',
  merchants: 'Ngā kaihoko',
  filters: 'Ngā tātari',
  account: 'Pūkete',
  everyAccount: 'Ngā pūkete katoa',
  everyAccountOf: (bank) => `Te katoa o ${bank}`,
  from: 'Mai i',
  to: 'Ki',
  search: 'Rapu',
  kind: 'Whakaaturia',
  kinds: {
    all: 'Te katoa',
    in: 'Moni kuhu',
    out: 'Moni puta',
    spending: 'Whakapaunga me ngā whakahokinga',
    pending: 'Tārewa',
  },
  category: 'Kāwai',
  everyCategory: 'Ngā kāwai katoa',
  noCategory: 'Kāore he kāwai',
  wholeGroup: (name) => `Te katoa o ${name}`,
  uncategorised: 'Kāore he kāwai, kāore hoki i te pēke',
  ofBank: (code) => `${code}, nā te pēke anake`,
  least: 'Te iti rawa',
  most: 'Te nui rawa',
  noAmount: (example) => `Tāurua he rahinga pērā i te ${example}.`,
  sort: 'Kōmakahia',
  sorts: {
    newest: 'Hou ki te tawhito',
    oldest: 'Tawhito ki te hou',
    largest: 'Nui ki te iti',
    smallest: 'Iti ki te nui',
  },
  clear: 'Ūkuia ngā tātari',
  moreFilters: 'Ētahi atu tātari',
  fewerFilters: 'Kia iti iho ngā tātari',
  pending: 'Tārewa',
  pendingRows: (count) => `${numberText(count)} tārewa`,
  showPending: 'Whakaaturia',
  hidePending: 'Hunaia',
  pendingAside: 'Tērā pea ka rerekē, ka ngaro rānei i mua i te tuhinga',
  total: (amounts) => `Tapeke: ${amounts}`,
  amountsIn: (currency) => `Ngā moni ${currency}`,
  noDate: 'Kāore he rā',
  rows: transactions,
  sortedSoFar: 'Kua kōmakahia ērā anake. Pānuitia te wā katoa hei kōmaka i te katoa.',
  readWhole: 'Pānuitia te wā katoa',
  reading: (count) => `Kei te pānui… ${transactions(count)}`,
  loading: 'Kei te uta i ngā tauwhitinga o mua atu…',
  end: 'Kāore he tauwhitinga o mua atu i tēnei wā',
  none: 'Kāore he tauwhitinga i tēnei wā',
  noneText: 'Kōwhiria he rā o mua atu, he pūkete kē rānei.',
  unmatched: 'Kāore he tauwhitinga e hāngai ana',
  searched: (from, to) => `I rapua mai i te ${from} ki te ${to}.`,
  unmatchedText: 'Whakarerekētia te rapu, ngā tātari rānei kia kite i ētahi atu.',
  noAccount: 'Kāore anō he pūkete pēke kua honoa',
  noAccountText:
    'Honoa he pēke kia kite i ōna tauwhitinga. Ka pānuitia i te pēke ina titiro koe, kāore e rokirokia.',
  moreFailed: 'Kāore i taea te uta i ngā tauwhitinga o mua atu',
  bankFailed: (bank) => `Kāore i taea te pānui i ${bank}, nō reira kāore ōna tauwhitinga i konei`,
};

export const UNLINKED_ACCOUNT: typeof english.UNLINKED_ACCOUNT = {
  choice: 'Kāore i te hono tonu',
  title: 'Kāore tēnei pūkete i te hono tonu',
  text: 'I wetekina, i honoa anō rānei hei pūkete hou. Kōwhiria tētahi atu, whakaaturia rānei te katoa.',
  showAll: 'Whakaaturia ngā pūkete katoa',
};

export const TRANSACTION: typeof english.TRANSACTION = {
  account: 'Pūkete',
  bank: 'Pēke',
  status: 'Tūnga',
  statuses: { posted: 'Kua tuhia', pending: 'Tārewa' },
  date: 'Rā',
  posted: 'Te rā i tuhia ai',
  valueDate: 'Te rā whai uara',
  description: 'Whakaahuatanga',
  more: 'Ētahi atu kōrero nā te pēke',
  reference: 'Tohutoro',
  merchant: 'Kaihoko',
  merchantCode: 'Waehere kāwai kaihoko',
  category: 'Kāwai',
  none: 'Kore',
  bankCategory: 'Te kāwai i te pēke',
  noCategory: 'Kāore he kāwai',
  idOf: (id) => `ID tauwhitinga: ${id}`,
  change: 'Whakarerekētia te kāwai',
};

export const SELECTION: typeof english.SELECTION = {
  label: 'Ngā tauwhitinga kua tīpakohia',
  start: 'Tīpako',
  stop: 'Kua oti',
  one: (name) => `Tīpakohia: ${name}`,
  chosen: (count) => `${numberText(count)} kua tīpakohia`,
  all: (count, complete) =>
    complete
      ? `Tīpakohia te katoa (${numberText(count)})`
      : `Tīpakohia te katoa tae mai ki nāianei (${numberText(count)})`,
  clear: 'Ūkuia te tīpakonga',
};

export const LISTED: typeof english.LISTED = {
  narrowed: (found, read) => `${found} o roto i te ${read}`,
  soFar: (shown) => `${shown} kua pānuitia tae mai ki nāianei`,
};

export const EXPORTS: typeof english.EXPORTS = {
  action: 'Kaweake',
  title: 'Kaweake i ngā tauwhitinga',
  everything: (days) =>
    `Ngā tauwhitinga o ${days}, me ngā mea kāore anō kia pānuitia. Kei te tonoa ērā i te pēke ināianei.`,
  filtered: (count) => `Ngā mea e hāngai ana ki ō tātari: ${transactions(count)}.`,
  filteredSoFar: (count) =>
    `Ngā mea kua kitea e hāngai ana ki ō tātari: ${transactions(count)}. Ka pānuitia te wāhanga e toe ana o te wā i te tuatahi.`,
  days: (from, to) => `${from} ki ${to}`,
  format: 'Hōputu',
  formats: { csv: 'CSV', jsonl: 'Ngā rārangi JSON', ofx: 'OFX', ofx1: 'OFX 1.02', qif: 'QIF' },
  hints: {
    csv: 'Mō ngā ripanga tātai. Ka tāpirihia te tohu ’ ki mua i te kupu ka whakahaeretia e te ripanga tātai hei ture tātai.',
    jsonl: 'Mō ngā papatono: he tauwhitinga ia rārangi, pērā i tā te API e whakaatu ai.',
    ofx: 'Mō ngā papatono kaute. Ngā tauwhitinga kua tuhia anake.',
    ofx1: 'Mō ngā papatono kaute kāore e pānui i te OFX hou ake.',
    qif: 'Mō ngā papatono kāore e pānui i te OFX. Ki te ruatia te kawemai o tētahi wā, ka tāruatia ngā tauwhitinga.',
  },
  statementFiltered: 'He tauākī katoa kei tēnei hōputu. Ūkuia ngā tātari hei kaweake i tētahi.',
  save: 'Tiakina te kōnae',
  failed: 'Kāore i taea te hanga i te kōnae',
  done: 'Kua tiakina te kōnae',
  doneText: (count, file) => `${transactions(count)} i roto i te ${file}.`,
  // Headers of the CSV file, which importers know by their English names.
  bankCategory: 'Bank Category',
  reference: 'Reference',
  missingBanks: (names) => `Kāore i roto: ${names.join(', ')}, kāore i taea te pānui.`,
};
