import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type { DestinationWords, providerTexts } from '../../src/text/kinds.ts';

const SIGN_IN_NEEDED = 'Me takiuru anō';
const GRANTED = 'I whakaaetia';

export const DESTINATION_WORDS: Readonly<Record<DestinationType, DestinationWords>> = {
  sheets: {
    name: 'Google Sheets',
    target: 'He ripanga tātai',
    for: 'He ripanga tātai ka taea e koe te kōmaka, te whakakauwhata me te tiri. Mō ngā pupuringa, ngā hokohoko me ngā ripanga tātai a Tiller hoki.',
    needs: 'He pūkete Google. Ka takiuru koe ki a Google; kāore a Tributary e kite i tō kupuhipa.',
    sends:
      'Kotahi te haupae mō ia tauwhitinga: te rā, te rahinga, te whakaahuatanga, te kāwai, te ingoa pūkete. Me ngā toenga hoki, ki te tono koe.',
    asks: 'Kia kite, kia whakatika i ngā ripanga tātai anake i hangaia e ia, i huakina rānei e koe mā reira. Kāore i ētahi atu kōnae o tō Drive.',
    stays: 'Ka noho tonu te ripanga tātai me ōna haupae ki tō Drive. Ka unuhia te whakaaetanga i Google.',
    ends: 'ka unuhia te whakaaetanga a Tributary i Google',
    makes: 'Ka hangaia e Tributary i tō Google Drive, me ngā tīwae e hiahiatia ana.',
    balances: 'Ki tō rātou ake ripa, kotahi te haupae mō ia pūkete.',
  },
  notion: {
    name: 'Notion',
    target: 'He pātengi raraunga Notion',
    for: 'He pātengi raraunga Notion, kotahi te whārangi mō ia tauwhitinga, hei hono ki ō atu tuhipoka.',
    needs:
      'He wāhi mahi Notion. I te whārangi o Notion, tohua te whārangi kei reira te pātengi raraunga, ka noho rānei ki reira.',
    sends:
      'Kotahi te whārangi mō ia tauwhitinga: te rā, te rahinga, te whakaahuatanga, te kāwai, te ingoa pūkete.',
    asks: 'Kia pānui, kia whakatika i ngā whārangi ka tohua e koe, me ngā mea katoa kei reira.',
    stays: 'Ka noho tonu te pātengi raraunga me ōna whārangi. Ka unuhia te whakaaetanga i Notion.',
    ends: 'ka unuhia te whakaaetanga a Tributary i Notion',
    makes:
      'Ka hangaia e Tributary i te whārangi tawhito rawa i tiria e koe, me ngā āhuatanga e hiahiatia ana.',
    balances: null,
  },
  airtable: {
    name: 'Airtable',
    target: 'He ripanga Airtable',
    for: 'He ripanga i Airtable, hei whakarōpū, hei tātari, hei whakawhanake.',
    needs:
      'He base nāu ka taea e koe te hanga ripanga ki roto. Kotahi mano ngā tono i te marama i te mahere kore utu, ka pau i te tukutahi tuatahi o te 10,000 haupae.',
    sends:
      'Kotahi te mauhanga mō ia tauwhitinga: te rā, te rahinga, te whakaahuatanga, te kāwai, te ingoa pūkete.',
    asks: 'Kia pānui, kia whakatika i ngā mauhanga me ngā āpure i ngā base ka tohua e koe.',
    stays:
      'Ka noho tonu te ripanga me ōna mauhanga. Ka noho hoki te whakaaetanga: tangohia i ngā tautuhinga o tō pūkete Airtable.',
    ends: 'ka wareware a Tributary i tana whakaaetanga. Kāore e taea te whakamutu i konei: tangohia i ngā tautuhinga o tō pūkete Airtable',
    makes: 'Ka hangaia e Tributary i tētahi base nāu, me ngā āpure e hiahiatia ana.',
    balances: 'Ki tō rātou ake ripanga, kotahi te mauhanga mō ia pūkete.',
  },
  ynab: {
    name: 'YNAB',
    target: 'He tahua YNAB',
    for: 'He tauwhitinga i tō mahere YNAB, kua rite kia whakaaetia.',
    needs: 'He ohaurunga YNAB me tētahi mahere, me tētahi pūkete i roto mō ia pūkete pēke.',
    sends:
      'Te rā, te kaiwhiwhi utu, te tuhipoka, te rahinga me te kāwai o ia tauwhitinga. Ka tae mai kāore anō kia whakaaetia.',
    asks: 'Kia pānui i ō mahere, kia tāpiri tauwhitinga hoki ki roto.',
    stays:
      'Ka noho tonu ngā tauwhitinga ki tō mahere. Ka wareware a Tributary i te whakaaetanga; hei whakamutu i YNAB, tangohia i ngā tautuhinga o tō pūkete YNAB.',
    ends: 'ka wareware a Tributary i tana whakaaetanga. Hei whakamutu i YNAB, tangohia i ngā tautuhinga o tō pūkete YNAB',
    makes: '',
    balances: null,
  },
  webhook: {
    name: 'Webhook',
    target: 'Tō ake wāhitau',
    for: 'He JSON kua hainatia ki tō ake tūmau, mā ngā kaiwhakawhanake.',
    needs: 'He wāhitau https e whakautu ana i ngā tono POST, e manatoko ana hoki i te waitohu.',
    sends:
      'Ngā takahanga, tae atu ki te 500 haupae i ia takahanga: ngā āpure katoa o te tauwhitinga, o te hokohoko rānei.',
    asks: 'Kāore he mea: māu e tuku ngā tono a Tributary ki tō ake tūmau.',
    stays: 'Ka noho tonu ngā mea i rokirokia e tō tūmau. Ka mutu te muna haina.',
    ends: 'ka mutu tana muna haina, ka tangohia hoki tana rangitaki tukunga',
    makes: '',
    balances: null,
  },
  postgres: {
    name: 'Postgres',
    target: 'He ripanga Postgres',
    for: 'He ripanga i tō ake pātengi raraunga, he tika tonu ngā rahinga, mō ngā uiui me ngā papatohu.',
    needs:
      'Ko Postgres 13, he mea hou ake rānei, ka taea mai i te ipurangi, me tētahi kaiwhakamahi pātengi raraunga mā Tributary anake.',
    sends: 'Kotahi te haupae mō ia tauwhitinga, ia pupuringa, ia hokohoko rānei, me ngā tīwae paerewa katoa.',
    asks: 'Ko tāu e tuku ai ki te kaiwhakamahi pātengi raraunga: kia hanga, kia whakakī i ngā ripanga i te schema kotahi.',
    stays:
      'Ka noho tonu ngā ripanga me ngā haupae. Mukua te kaiwhakamahi pātengi raraunga hei whakamutu i tōna āheinga; ka tangohia te muna kua hīritia i konei.',
    ends: 'ka tangohia te muna kua hīritia. Mukua te kaiwhakamahi pātengi raraunga hei whakamutu hoki i tōna āheinga ki reira',
    makes: 'Ka hangaia e Tributary me ōna tīwae, ōna kuputohu, me tētahi tirohanga o ngā tapeke o ia marama.',
    balances: 'Ki tō rātou ake ripanga, kotahi te haupae mō ia pūkete.',
  },
  actual: {
    name: 'Actual Budget',
    target: 'He tahua Actual',
    for: 'He tauwhitinga i tētahi tahua i tō ake tūmau Actual.',
    needs: 'Te wāhitau o tō tūmau tukutahi me tōna kupuhipa, me tētahi pūkete i te tahua mō ia pūkete pēke.',
    sends: 'Te rā, te kaiwhiwhi utu, ngā tuhipoka, te rahinga me te kāwai o ia tauwhitinga.',
    asks: 'Kia pānui, kia whakarerekē i ngā tahua i taua tūmau, pērā i tētahi atu kiritaki.',
    stays: 'Ka noho tonu ngā tauwhitinga ki tō tahua. Ka tangohia te kupuhipa kua hīritia i konei.',
    ends: 'ka tangohia te kupuhipa kua hīritia',
    makes: '',
    balances: null,
  },
  csv_folder: {
    name: 'Ngā kōnae CSV',
    target: 'He kōpaki kōnae CSV',
    for: 'He kōnae CSV i te rorohiko e whakahaere ana i a Tributary, kotahi mō ia pūkete i ia marama.',
    needs: 'Mā te kaiwhakahaere te kōpaki e whakarite.',
    sends:
      'Kotahi te rārangi mō ia tauwhitinga, ia hokohoko rānei: te rā, te rahinga, te whakaahuatanga, te kāwai, te ingoa pūkete.',
    asks: 'Te hanga me te whakarerekē kōnae i tōna ake kōpaki.',
    stays: 'Ka noho tonu ngā kōnae ki tō rātou kōpaki.',
    ends: 'kāore he mea e mutu: ka noho tonu ngā kōnae',
    makes: 'Ka hangaia e Tributary i tō kōpaki.',
    balances: null,
  },
};

export const PROVIDER_WORDS: Readonly<Record<ProviderIdentifier, ReturnType<typeof providerTexts>>> = {
  au_banking: {
    name: 'Pēke Ahitereiria',
    through: 'Te pēke tuwhera o Ahitereiria (Fiskil)',
    institution: 'Pēke',
    failures: {},
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'ka unuhia tō whakaaetanga i te pēke',
  },
  nz_banking: {
    name: 'Pēke Aotearoa',
    through: 'Akahu',
    institution: 'Pēke',
    failures: {
      consent_denied: 'I whakahēngia te āheinga i Akahu. Kāore he mea i tiria.',
      institution_error: 'I pā tētahi hapa ki a Akahu. Whakamātauria anō ā muri ake.',
      not_eligible:
        'Kāore he pūkete i tiria i Akahu, kāore rānei te kaiwhakahaere i whakatuwhera ki tēnei mauhanga pūkete.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal:
      'ka mutu te āheinga i Akahu; ka mau tonu tō te taupānga whaiaro a te kaiwhakahaere kia unuhia rā anō i reira',
  },
  brokerage: {
    name: 'Kaitakawaenga haumi',
    through: 'SnapTrade',
    institution: 'Kaitakawaenga haumi',
    failures: {
      consent_denied: 'I whakahēngia te āheinga i te kaitakawaenga haumi. Kāore he mea i tiria.',
      authentication_failed:
        'Kāore i taea e te kaitakawaenga haumi te takiuru i a koe. Kāore he mea i tiria.',
      institution_error:
        'Kāore i taea te whakapā atu ki te kaitakawaenga haumi. Whakamātauria anō ā muri ake.',
      not_eligible:
        'Kāore te kaitakawaenga haumi e tuku ana i tēnei mō ō pūkete, i takiuru rānei koe ki tētahi pūkete kē i reira.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'ka mukua te hononga i SnapTrade',
  },
  enable_banking: {
    name: 'Pēke Ūropi',
    through: 'Enable Banking',
    institution: 'Pēke',
    failures: {
      consent_denied: 'I whakahēngia te āheinga i te pēke. Kāore he mea i tiria.',
      institution_error:
        'I pā tētahi hapa ki te pēke, ki a Enable Banking rānei. Whakamātauria anō ā muri ake.',
      not_eligible:
        'Kāore he pūkete i tiria. I te whakamahinga herenga, ka tiri noa a Enable Banking i ngā pūkete kua tāpirihia e te kaiwhakahaere ki te taupānga i tōna papa whakahaere.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'ka whakamutua te wāhanga i Enable Banking, me tō whakaaetanga i te pēke',
  },
  up_bank: {
    name: 'Up',
    through: 'Te API ake a Up',
    institution: 'Pēke',
    failures: {
      authentication_failed:
        'Kāore a Up e whakaae ki te tokene. Me whakarite tētahi mea hou e te kaiwhakahaere.',
      not_eligible:
        'Nō tētahi atu tangata te tokene, ehara i te tangata nōna te hononga, kāore rānei te kaiwhakahaere i whakatuwhera ki tēnei mauhanga pūkete.',
    },
    invalidated: 'Me whai tokene hou',
    granted: 'Te pānuitanga tuatahi',
    withdrawal: 'ka mutu te pānui i a Up; ka whai mana tonu te tokene kia unuhia rā anō i Up',
  },
  simplefin: {
    name: 'SimpleFIN',
    through: 'SimpleFIN',
    institution: 'Pēke',
    failures: {
      authentication_failed:
        'I whakakāhoretia te tokene tatūnga e te tūmau SimpleFIN: kua whakamahia kētia, kāore rānei i te oti. Waihangatia tētahi mea hou, ā, mukua te mea tawhito i reira mēnā ehara nāu i whakamahi.',
      institution_error:
        'Kāore i tika te whakautu a te tūmau SimpleFIN. Kua pau pea te tokene tatūnga: waihangatia tētahi mea hou.',
      not_eligible:
        'Kāore he pūkete e tiritiria ana e te tokene tatūnga ka taea te hono. Honoa he pēke ki SimpleFIN i te tuatahi, kātahi ka waihanga i tētahi tokene hou.',
    },
    invalidated: 'Me whai tokene hou, me takiuru rānei ki SimpleFIN',
    granted: 'Te pānuitanga tuatahi',
    withdrawal: 'ka mutu te pānui i a SimpleFIN; ka whai mana tonu te urunga kia monokia rā anō i reira',
  },
  statement_files: {
    name: 'Ngā kōnae tauākī',
    through: 'Ngā kōnae ka tukuna ake e koe',
    institution: 'Pēke',
    failures: {},
    invalidated: 'Kua mukua',
    granted: 'Te kōnae tuatahi',
    withdrawal: 'ka mukua ngā kōnae me ngā rārangi katoa i tangohia mai',
  },
};
