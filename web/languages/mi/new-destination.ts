import type * as english from '../../src/text/new-destination.ts';

export const NEW_DESTINATION: typeof english.NEW_DESTINATION = {
  title: 'Tāpirihia he ūnga',
  intro:
    'Me haere ō tauwhitinga ki hea? Kāore he mea e tāruatia kia whakaritea rā anō e koe tētahi tukutahi.',
  choices: 'Ngā momo ūnga',
  titleOf: (type) => `Tāpirihia: ${type}`,
  before: 'I mua i te haere tonu',
  purpose: 'Te take',
  needs: 'Ngā mea e hiahiatia ana',
  sends: 'Ngā mea ka haere ki reira',
  asks: 'Ngā mea e whakaaetia ana ki reira',
  stays: 'Ina mukua e koe',
  copied:
    'Ko ngā herenga o taua ratonga e whai mana ana ki ngā mea ka tāruatia ki reira. Kua kore te Consumer Data Right e tiaki i aua mea.',
  more: 'Ngā taipitopito katoa',
  other: 'Kōwhiria he momo kē',
  continueTo: (vendor) => `Haere tonu ki ${vendor}`,
  continueText: (vendor) =>
    `Ka whakaū koe i te whārangi e whai ake nei, ka takiuru ki ${vendor}, ka hoki mai ai ki konei.`,
  connect: 'Tūhonoa',
  connectFailed: (type) => `Kāore i tūhonoa: ${type}`,
  webhook: {
    name: 'Ingoa',
    namePlaceholder: 'Te ratonga pukapuka kaute',
    address: 'Wāhitau',
    addressHint:
      'Ka tīmata ki te https://. Me whakaae te kaiwhakahaere ki ngā wāhitau i ngā whatunga tūmataiti.',
    create: 'Hangaia te webhook',
    missing: 'Whakakīia tēnei.',
    created: (name) => `Kua rite te webhook ${name}`,
    createdText: 'Ka haere ngā takahanga ki reira ina tuhi tētahi tukutahi ki reira.',
    open: 'Huakina te webhook',
  },
  secret: {
    title: 'Muna haina',
    once: 'Tāruatia ināianei, ka tiaki ki te wāhi e pānui ai tō tūmau. Kāore e whakaatuhia anō.',
    verify:
      'Mā tēnei ka whakaū tō tūmau nā Tributary te tono: tātaihia te HMAC-SHA256 o te ID, te tohu wā me te tinana taketake, ka whakataurite ai.',
    how: 'Me pēhea te manatoko, me ngā tauira',
    receivers: 'He kaiwhiwhi i te PHP, te Ruby me te Go',
    rotate: 'Whakakapia te muna',
    rotateTitle: 'Whakakapia te muna haina?',
    rotateText: 'Ka hangaia he muna hou, kotahi noa te whakaaturanga.',
    newTitle: 'Te muna haina hou',
    done: 'Kua tāruatia e au',
    overlap:
      'Mō te 24 haora ka hainatia hoki ngā tono ki te muna tawhito, kia taea ai e tō tūmau te whakawhiti me te kore e whakahē i tētahi.',
  },
  postgres: {
    prepare: 'Hangaia he kaiwhakamahi mā Tributary anake',
    prepareHint: 'Whakahaeretia tēnei ki tō pātengi raraunga, me tō ake kupuhipa:',
    address: 'Wāhitau hononga',
    addressHint:
      'postgres://user:password@host:5432/database. Kua whakamunatia te hononga, ā, ka tirohia te tiwhikete; tuhia ngā pūāhua pērā i te @ me te # i te kupuhipa hei %40 me te %23.',
    name: 'Ingoa (kei a koe te tikanga)',
    stored: 'Ka whakamātauria tonutia atu, ka rokirokia kua hīritia, ā, kāore e whakaatuhia anō.',
  },
  actual: {
    server: 'Te wāhitau o te tūmau tukutahi',
    serverHint: 'Pērā i te https://budget.example.org',
    serverInvalid: 'Ehara tēnei i te wāhitau. Ka tīmata ki te https://',
    signIn: 'Ka pēhea tō takiuru ki reira?',
    withPassword: 'Mā te kupuhipa',
    withToken: 'Mā te tokene wātū',
    withTokenHint: 'Mō ngā tūmau kāore nei e takiuru mā te kupuhipa.',
    password: 'Te kupuhipa o te tūmau',
    token: 'Tokene wātū',
    encryption: 'Kupuhipa whakamuna (kei a koe te tikanga)',
    encryptionHint: 'Mō te tahua anake kua whakamunatia mai i tētahi pito ki tētahi pito.',
  },
};
