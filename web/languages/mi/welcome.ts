import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/welcome.ts';

export const WELCOME: typeof english.WELCOME = {
  tour: {
    title: 'Tīmataria te haerenga whakaatu',
    intro:
      'He taiao whakamātau tō tēnei whakaurunga: he pēke whakataruna me tētahi ripanga tātai whakataruna, kāore he pūkete i tētahi atu wāhi. E whā ngā hipanga kia kite koe i te ara katoa, mai i te pēke ki ngā haupae me ngā kauwhata ka taea e koe te whakamahi.',
  },
  guide: {
    title: 'Tīmata',
    intro: 'E toru ngā hipanga mai i tō pēke ki ngā haupae i te wāhi e mahi ai koe.',
  },
  leave: 'Peke ki te kāinga',
  done: 'Kua oti',
  linked: (bank, accounts) => `${bank}, ${numberText(accounts)} pūkete`,
  listing: (bank) => `Kua honoa a ${bank}. Kei te whakarārangi i ngā pūkete…`,
  copies: (sync) => `Kei te tārua aunoa te tukutahi “${sync}” i ngā tauwhitinga hou ināianei.`,
  sandboxBank: {
    title: 'Honoa he pēke whakamātau',
    text: 'Ka kite koe ko wai ka whiwhi i te aha, ka takiuru ki te pēke whakataruna hei tētahi o ōna kiritaki tito, ka hoki mai ai ki konei.',
    action: (bank) => `Honoa a ${bank}`,
    other: 'Kōwhiria he pēke kē',
  },
  bank: {
    title: 'Honoa he pēke',
    text: 'I mua i te tiritanga o tētahi mea, ka kite koe mā wai, he aha hoki, ā, ka taea e koe te whakamutu i ngā wā katoa.',
    action: 'Honoa he pēke',
    failed: 'Kāore e taea te huaki i te pēke ināianei',
  },
  spreadsheet: {
    title: 'Tāruatia ōna tauwhitinga ki te ripanga tātai',
    text: 'Tūhonoa te Google Sheets whakataruna, ka hoki mai ki konei. Kāore he pūkete Google e hiahiatia.',
    connect: 'Tūhonoa ngā ripanga tātai whakamātau',
    connectFailed: 'Kāore e taea te tūhono i ngā ripanga tātai ināianei',
    connected:
      'Kua tūhonoa a Google Sheets. Whai muri, ka hanga a Tributary i tētahi ripanga tātai ki reira, ka tārua i ngā tauwhitinga.',
    copy: 'Hangaia te ripanga tātai, ka tārua',
    copyFailed: 'Kāore ngā tauwhitinga e tāruatia ana',
    name: 'Ngā tauwhitinga Tributary',
    syncName: (bank) => `${bank} ki te ripanga tātai`,
  },
  rows: {
    title: 'Huakina ngā haupae',
    text: 'Ina oti te whakahaerenga tuatahi, ka huakina te ripanga tātai i konei.',
    waiting: 'Kei te tīmata te whakahaerenga tuatahi…',
    reading: (read, added) =>
      `${numberText(read)} haupae kua pānuitia, ${numberText(added)} kua tāruatia tae mai ki nāianei…`,
    copied: (added) => `${numberText(added)} haupae kua tāruatia.`,
    failed: 'Kāore te whakahaerenga i angitu.',
    again: 'Whakahaeretia anō',
    open: 'Huakina te ripanga tātai',
  },
  destination: {
    title: 'Tāpirihia he ūnga',
    text: 'He ripanga tātai, he pātengi raraunga, he taupānga tahua, tō ake papatono rānei: te wāhi e mahi ai koe ki ō tauwhitinga.',
    action: 'Tāpirihia he ūnga',
  },
  sync: {
    title: 'Hangaia he tukutahi',
    text: 'Ka tārua i ngā pūkete e kōwhiria ana e koe ki te ūnga, ināianei, ā, i muri iho i runga i te hōtaka.',
    action: 'Hangaia he tukutahi',
  },
  charts: {
    title: 'Tirohia e haere ana te moni ki hea',
    text: 'Ka whakaatu te Kāinga i aua pūkete me aua tauwhitinga hei kauwhata: he aha ngā moni kei reira, i whakapaua hoki ki te aha.',
    action: 'Tirohia ngā toenga me ngā whakapaunga',
  },
  notConnected: {
    failed: 'Kāore ngā ripanga tātai i tūhonoa',
    unknown: 'Kāore he mea i whakaaetia ki reira. Ka taea e koe te tīmata anō i ngā wā katoa.',
  },
  finished:
    'Koirā te ara katoa. Kei te whārangi kāinga ngā toenga, ngā whakapaunga me te āhua o ia tukutahi.',
  home: 'Haere ki te Kāinga',
};
