import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-settings.ts';

/** The fields of a sync, where it is set up and where it is changed. */
export const SYNC_FIELDS_TEXT: typeof english.SYNC_FIELDS_TEXT = {
  accounts: {
    legend: 'Ko ēhea pūkete?',
    all: 'Ngā pūkete katoa',
    chosen: (count) => `${numberText(count)} pūkete kua kōwhiria`,
    none: {
      transactions: 'Kāore he pūkete pēke kua honoa. Honoa he pēke hei tārua i ōna tauwhitinga.',
      holdings: 'Kāore he pūkete haumi kua honoa. Honoa he kaitakawaenga haumi hei tārua i ngā pupuringa.',
      trades: 'Kāore he pūkete haumi kua honoa. Honoa he kaitakawaenga haumi hei tārua i ngā hokohoko.',
    },
    left: (count) => `Kāore i whakarārangitia: ${numberText(count)} pūkete o momo kē.`,
    unavailable: 'Kua kore te pēke e whakarārangi',
    link: 'Honoa he pēke',
  },
  places: {
    sheet: {
      legend: 'Ka haere ngā haupae o ia pūkete ki hea?',
      bulk: 'Te katoa ki te ripa kotahi',
      bulkHint:
        'Kotahi te rārangi me ngā pūkete katoa, i te ripa i kōwhiria e koe. Mā tētahi tīwae e kī nō tēhea pūkete ia haupae.',
      perAccount: 'He ripa mō ia pūkete',
      perAccountHint:
        'Ka hanga a Tributary i tētahi ripa mō ia pūkete i te whakahaerenga tuatahi, ka tuhi rānei ki tētahi kei reira kē.',
      newTab: 'He ripa hou, ka hangaia i te whakahaerenga tuatahi',
      place: (account) => `Te ripa mō ${account}`,
      choose: 'Kōwhiria he ripa',
    },
    tabs: 'Ko tēhea ripa ka tango i ngā haupae o ia pūkete?',
    budget: {
      legend: 'Ko tēhea pūkete o te tahua ka tango i ngā haupae o ia pūkete?',
      place: (account) => `Te pūkete tahua mō ${account}`,
      choose: 'Kōwhiria he pūkete',
    },
    none: 'Kāore he mea hei kōwhiri i te ūnga. Hangaia he pūkete ki reira, kātahi ka titiro anō.',
    again: 'Tirohia anō',
    failed: 'Kāore i taea te pātai ki te ūnga',
    truncated: 'He maha ake kei te ūnga i ngā mea kua whakarārangitia i konei.',
  },
  categories: {
    legend: 'Ko tēhea kāwai o te tahua ka tango i ēhea haupae?',
    hint: 'Ko ngā haupae kāore anō te kāwai kia whakamaheretia ka tae atu kāore he kāwai, māu e whakarōpū ki reira.',
    unmapped: 'Waiho kia noho kau',
    details: (primary) => `Ngā kāwai whāiti ake o ${primary}`,
    inside: (mapped, proposed) =>
      [
        mapped === 0 ? '' : ` · ${mapped} kua whakamaheretia`,
        proposed === 0 ? '' : ` · ${proposed} kua marohitia`,
      ].join(''),
    failed: 'Kāore i taea te whakarārangi i ngā kāwai o te tahua',
    group: 'Ngā kāwai',
  },
  proposals: {
    title: (count) => `${numberText(count)} marohi mō ngā mea kāore anō kia whakamaheretia`,
    text: 'Nā te ingoa, nā te tau pūkete, nā ngā mea e whakamahia ana e ō atu tukutahi. Kāore he mea e whakaritea kia whakaae rā anō koe.',
    accept: 'Whakaaetia te katoa',
    of: (name, why) => `E marohitia ana: ${name} (${why})`,
    history: (sync) => `pērā i ${sync}`,
    number: (digits) => `te tau e mutu ana ki ${digits}`,
    same_name: 'he ōrite te ingoa',
    own_category: (name) => `tō kāwai ${name}`,
    similar_name: 'he āhua ōrite te ingoa',
    type: 'he ōrite te momo',
    accepted: (count) => `${numberText(count)} whakamahere kua whakaritea`,
    acceptedText: 'Tirohia i mua i te tiaki.',
  },
  columns: {
    legend: 'Ngā tīwae',
    standard: 'Ngā tīwae paerewa',
    own: 'Kōwhiria, raupapahia ngā tīwae',
    ownHint: 'Ko ēnei anake ka tuhia. Ka noho tonu ngā tīwae ka tāpirihia e koe ki reira.',
    key: 'Ka tuhia i ngā wā katoa: mā tēnei ka kitea ngā haupae',
    up: (name) => `Nekehia te ${name} ki runga`,
    down: (name) => `Nekehia te ${name} ki raro`,
    empty: 'Kōwhiria kia kotahi te tīwae, neke atu rānei.',
  },
  options: {
    from: 'Te rā tuatahi',
    fromHint: (months) =>
      `Ki te noho kau: ${numberText(months)} marama ki muri. Kaua e nui ake i te 7 tau: ka huri te rā o mua atu hei rā tōmua rawa e whakaaetia ana, ka huri te rā ā muri ake hei tēnei rā. Tērā pea ka iti iho tā tō pēke e tiri ai.`,
    fromMoved: (asked, day) => `Kāore e taea te ${asked}; ka tāruatia ngā haupae mai i te ${day}.`,
    legend: 'Ngā haupae',
    include_pending: 'Me ngā tauwhitinga tārewa',
    include_pendingHint:
      'Tērā pea ka rerekē, ka ngaro rānei. Ka whakakapia te haupae ina tuhia te tauwhitinga, ka tangohia ki te kore e tuhia.',
    mask_account_numbers: 'Hunaia ngā tau pūkete',
    mask_account_numbersHint:
      'Ka whakaatu i ngā mati whakamutunga e whā anake, i te tīwae, i te āpure rānei kei reira te tau.',
    custom_categories: 'Whakamahia aku kāwai',
    custom_categoriesHint: 'Ka tuhi i te kāwai o tō ake rākau hei whakakapi i tā te pēke.',
    include_balances_tab: 'Tuhia hoki ngā toenga',
    ruleset: 'Ngā ture',
    rulesetHint:
      'Whakarerekētia, tapangatia, pekea rānei ngā haupae i te ara. Kāore ngā ture e pā ki ngā pupuringa me ngā hokohoko.',
    noRuleset: 'Kāore he ture',
    disabled: (name) => `${name} (kua whakawetoa)`,
    makeRules: 'Hangaia he ture',
  },
  schedule: {
    legend: 'Āhea whakahaeretia ai?',
    often: 'Kia auau rite ki tā te ratonga e whakaae ai',
    oftenHint: 'Ia 6 haora, ki te kore te kaiwhakahaere o tēnei whakaurunga i whakarite kē.',
    interval: 'I ia wā',
    every: 'Ia',
    intervals: {
      360: '6 haora',
      720: '12 haora',
      1440: 'rā',
      2880: '2 rā',
      4320: '3 rā',
      10080: 'wiki',
    },
    times: 'I ngā wā o te rā',
    timesHint:
      'Kia 6 haora i te iti rawa i waenganui, ki te kore te kaiwhakahaere o tēnei whakaurunga i whakarite kē.',
    time: (at) => `Wā ${at}`,
    addTime: 'Tāpirihia he wā',
    removeTime: (time) => `Tangohia: ${time}`,
    zone: 'Rohe wā',
    zoneHint: 'Ka rite tonu ki te karaka o reira, i te raumati me te hōtoke.',
    bad: 'Tuhia ngā wā pēnei: 08:30.',
    twice: (time) => `E rua ngā ${time} i reira.`,
    manual:
      'He hōtaka tō te tukutahi i ngā wā katoa. Hei whakahaere ina tono koe anake, whakatāngia i waenga i ngā whakahaerenga.',
    everyWords: (period) => `Ia ${period}`,
    minutes: (count) => `${count} meneti`,
    hours: (count) => `${numberText(count)} haora`,
    days: (count) => `${numberText(count)} rā`,
    aDay: 'rā',
    aWeek: 'wiki',
    atWords: (times, zone) => `I ia rā i ${times} (${zone})`,
  },
};
