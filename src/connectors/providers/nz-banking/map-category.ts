import { isPrimaryCategory, type PrimaryCategory } from '../../../vocabulary/provider-categories.ts';
import { inner, text, type WireObject } from '../kit/json.ts';

/**
 * Ids of the NZFCC (nzfcc.org, edition of 181 categories) by the code that each becomes, without the prefix `nzfcc_`.
 */
export const NZFCC_IDS = {
  ENTERTAINMENT: [
    'ckouvvz37005308mla176dhu7',
    'ckouvvzhm006s08ml5q7r9iof',
    'ckouvvzhn006t08mlg81xhlbx',
    'ckouvvzi5006v08mlg3pndlk0',
    'ckouvvzi7006w08ml6blq7e83',
    'ckouvvzis007108ml1fj7f1md',
    'ckouvvzit007208ml20wedcsf',
    'ckouvvzjd007508mld8zqd622',
    'ckouvvzju007608mldg1lf61f',
    'ckouvvzjv007708mldu57h4em',
  ],
  FOOD_AND_DRINK: [
    'ckouvvy84001608ml5p6z4d8j',
    'ckouvvy8m001708ml68px9wcf',
    'ckouvvy8o001808ml9ld14mx1',
    'ckouvvy98001a08ml3l180boh',
    'ckouvvyaa001b08ml4uj9b2qc',
    'ckouvvyac001c08mlbyp5doni',
    'ckouvvyvh004108mlfau3hrm2',
    'ckouvvyw0004308ml42nd6gao',
    'ckouvvyw1004408mlhy158i7j',
    'ckouvvywi004508mlacrd41wf',
    'ckphrdp9f000008ml5t9g7d0m',
    'ckpyo79om000009kw58cq8czp',
    'ckpyo8lga000109kw7pyhcdxw',
    'clahchmg0000108mo8cnf2bs2',
  ],
  GOVERNMENT_AND_NON_PROFIT: [
    'ckouvvzbj005z08mle3z667go',
    'ckouvvzbk006008ml1ks82is1',
    'ckouvvzh4006q08mla1rt5w8j',
    'ckouvvznt007o08mlfyzdaj9q',
    'ckouvvzow007r08ml5eqa16dv',
    'ckouvvzpe007t08mlfiorez29',
    'cl2pbn9e4000009mp382ddhbq',
    'cl37t9teq000009jwdq7dgqzi',
    'cmdmif9e7000008jr2s86elu1',
  ],
  HOME_IMPROVEMENT: [
    'ckouvvxrz000608ml3pgqfx3i',
    'ckouvvxt3000908mlb6xj9x5z',
    'ckouvvxtm000a08mlc33qf5sm',
    'ckouvvxu5000b08ml7aske9u7',
    'ckouvvxu8000c08mlc95b5sfd',
    'ckouvvxuq000d08ml81pqa16w',
    'ckouvvxus000e08mlem1o2ha2',
    'ckouvvxva000f08ml7fibefq1',
    'ckouvvxvc000g08ml2oiybbks',
    'ckouvvxz6000m08ml620k803p',
    'ckouvvxz8000n08ml5gcoffpm',
    'ckouvvy0a000o08mlfln095js',
    'ckouvvy0t000q08mlhm1r54o5',
    'ckouvvyes001w08mleewb7dfd',
    'ckouvvyet001x08ml59qzamy4',
    'ckouvvyfa001y08mlgbl1f1vu',
    'ckouvvyfc001z08ml7yeugcst',
    'ckouvvymi002o08mlgf5wdvfj',
    'ckouvvypv003508mlda344tpi',
    'ckouvvyqe003808ml73z05dr5',
    'ckouvvzay005v08mlfxmbal3g',
  ],
  LOAN_PAYMENTS: ['cl15vdeg8000009l32o2v1ory', 'cmdnn5som001608ky71g13j00'],
  MEDICAL: [
    'ckouvvyn3002s08mle90qdtmo',
    'ckouvvzeb006c08mlakege133',
    'ckouvvzec006d08ml1xjz1di1',
    'ckouvvzed006e08ml8jxcfkbq',
    'ckouvvzeu006f08ml3vuf6fub',
    'ckouvvzfd006i08ml2xnjeo2m',
    'ckouvvzfg006k08ml56i13bn6',
    'ckouvvzfh006l08mldtd37dvx',
    'ckouvvzfy006m08ml2tqk0qni',
    'ckouvvzh1006o08mlbn8m2q1f',
    'ckouvvzh3006p08ml37o7790t',
    'cl2pa65jm000009mfh2jm7d4m',
    'cl9c9l15j000009kv8ml01tk7',
    'cl9rwlp2s000009l3gmy97xxj',
  ],
  MERCHANDISE: [
    'ckouvvxkq000008mlfvf6gi1f',
    'ckouvvxvv000h08ml7xbxeoht',
    'ckouvvxwd000i08ml5o99fokj',
    'ckouvvxwg000j08ml6bpqetr6',
    'ckouvvy0c000p08mlh2606qt0',
    'ckouvvy21000u08mlfernbp2r',
    'ckouvvyau001d08mlecosa2ds',
    'ckouvvybd001f08ml8w4y3yor',
    'ckouvvybf001g08mlczajat62',
    'ckouvvyc1001l08ml50ov60j5',
    'ckouvvycl001o08ml7wxo8w4j',
    'ckouvvydo001q08ml4xvgfhgl',
    'ckouvvye7001s08mld9hj5q2y',
    'ckouvvyge002108mlfe0l2thb',
    'ckouvvygg002308ml8p0z179o',
    'ckouvvyi2002b08mlh2elakks',
    'ckouvvyi5002d08ml106b4vlx',
    'ckouvvyin002e08ml5ahteewu',
    'ckouvvyio002f08ml0kh60x4i',
    'ckouvvyjq002g08mlc0h7f3ke',
    'ckouvvyjt002i08mlbpv4gyx0',
    'ckouvvylz002l08ml6nra9enk',
    'ckouvvymj002p08ml2n2da6nf',
    'ckouvvyn2002r08ml4n8t4uja',
    'ckouvvyn4002t08ml54k15mgr',
    'ckouvvyn5002u08mlbacc93hw',
    'ckouvvyo6002y08mlfafxgd3o',
    'ckouvvyo7002z08ml9oy0a5q1',
    'ckouvvyo8003008ml29qq5hn8',
    'ckouvvypt003408mle59z71f4',
    'ckouvvypw003608mld98b9yes',
    'ckouvvyqy003b08ml65aj5svx',
    'ckouvvyrj003f08mldndoev9v',
    'ckouvvys3003i08mlhtk95p7h',
    'ckouvvzll007f08ml4qgd4xud',
    'cl2pkk8ir000009mu1xi353mv',
  ],
  PERSONAL_CARE: [
    'ckouvvypb003208mld49dca8l',
    'ckouvvywj004608mlho382gvn',
    'ckouvvziq006z08mldbw7eyne',
    'ckouvvzkg007b08mlh3higeon',
    'ckouvvzm2007g08ml8m0q4ury',
    'ckouvvzn8007k08ml806zcml0',
  ],
  RENT_AND_UTILITIES: [
    'ckouvvxsi000708mlgk8ogd33',
    'ckouvvz0y004t08ml8zey1jiv',
    'ckouvvzdt006b08mlc16xeila',
    'ckq5t8pp9000009jvbego537k',
    'cl2pae1ns000009jt55t2cdir',
    'cl2pdepxy000009i4bdn9hzfb',
    'cl2pehre5000009ma7a3rdh1b',
    'cl2pejp4g000109mae32z2zhb',
    'clahc65qk000008jt7nug6ag9',
    'clahc7wwq000108jt06fy6lvo',
  ],
  SERVICES: [
    'ckouvvxni000208mlbhugb1za',
    'ckouvvy4q001008ml3dl13w1q',
    'ckouvvye6001r08mlhgal82ou',
    'ckouvvyhl002a08ml39u6clb6',
    'ckouvvypx003708ml1ju5813w',
    'ckouvvyr0003d08ml0xgx2x58',
    'ckouvvyso003n08ml83zy0lyv',
    'ckouvvytt003r08ml0nc1h7im',
    'ckouvvyuc003t08mlb3v45h5p',
    'ckouvvyuv003v08ml7434fnid',
    'ckouvvyzv004n08mlae0hf8u1',
    'ckouvvyzx004p08mlds5v33k7',
    'ckouvvz0g004r08ml7f3hcr57',
    'ckouvvz1k004y08ml25j2erby',
    'ckouvvz23005008ml7hg16o7w',
    'ckouvvz38005408mlhr8a57nj',
    'ckouvvz4b005608ml2ygi4sq1',
    'ckouvvz4d005808mlciyi37f8',
    'ckouvvz6k005908mlaluc5mhg',
    'ckouvvz7m005b08mlgher9mt4',
    'ckouvvz86005e08mlc63abinn',
    'ckouvvz87005f08mlfta1ecg6',
    'ckouvvz88005g08mlb63z0a4l',
    'ckouvvz9d005n08ml5by905rq',
    'ckouvvz9u005o08ml2oi20hre',
    'ckouvvz9v005p08mlbaeeakka',
    'ckouvvzah005u08ml8vyq4fhw',
    'ckouvvzb0005x08mldzw1a2lr',
    'ckouvvzbi005y08ml37j1haap',
    'ckouvvzbl006108ml1c9o0tn8',
    'ckouvvzc5006408mlbq4td5dm',
    'ckouvvzd6006508mle0ctar1e',
    'ckouvvzd7006608mlh6652doj',
    'ckouvvzds006a08ml118e2eta',
    'ckouvvzjc007408mlh0ev5y3t',
    'ckouvvzke007908mlc4640b4h',
    'ckouvvzm3007h08mlfc7l56zp',
    'ckouvvzm5007i08mlcxn8dmcb',
    'ckpymsz13000009l2alfj3mw4',
    'cl2pgeu3q000109i4368cg786',
    'cl2pn4a9q000009mj374t2o6n',
  ],
  TRANSFER_OUT: ['ckouvvz22004z08ml32530yob', 'ckouvvzc2006208ml5mg1cxf7', 'cmdnn9y8k000008l2hv032iec'],
  TRANSPORTATION: [
    'ckouvvytq003o08mlbcy57jft',
    'ckouvvyxm004c08mlexbea79o',
    'ckouvvyy8004h08ml568d813k',
    'ckouvvyy9004i08mlcl4jhggy',
    'ckouvvyza004j08ml2jqr21bt',
    'cl2pjr2ou000009l8hi2se31x',
    'clahcegjo000008l250of62eq',
    'clahcfil5000008mogwg5hdr7',
  ],
  TRAVEL: [
    'ckouvvyux003x08mlgwyo6uq6',
    'ckouvvyvg004008ml6zun9stl',
    'ckouvvyx4004a08ml4rop060m',
    'ckouvvyy7004g08mlc3hedgqz',
    'ckouvvyzc004l08mlhc8da1l3',
    'ckouvvz4a005508ml8yfj5utb',
    'clahcjf2o000208jtb9krgphr',
  ],
} as const satisfies Partial<Record<PrimaryCategory, readonly string[]>>;

const CODES: ReadonlyMap<string, PrimaryCategory> = new Map(
  Object.entries(NZFCC_IDS).flatMap(([code, ids]) =>
    isPrimaryCategory(code) ? ids.map((id) => [`nzfcc_${id}`, code] as const) : [],
  ),
);

/** For categories of a later edition: the most common code of their group, by the group's name. */
const GROUPS: ReadonlyMap<string, PrimaryCategory> = new Map([
  ['Appearance', 'MERCHANDISE'],
  ['Education', 'SERVICES'],
  ['Food', 'FOOD_AND_DRINK'],
  ['Health', 'MEDICAL'],
  ['Household', 'MERCHANDISE'],
  ['Housing', 'RENT_AND_UTILITIES'],
  ['Lifestyle', 'ENTERTAINMENT'],
  ['Professional Services', 'SERVICES'],
  ['Transport', 'TRANSPORTATION'],
  ['Utilities', 'RENT_AND_UTILITIES'],
]);

/** What a type says about a row without a category, by whether money came in. */
const TYPES: ReadonlyMap<
  string,
  { readonly in: PrimaryCategory | null; readonly out: PrimaryCategory | null }
> = new Map([
  ['ATM', { in: null, out: 'TRANSFER_OUT' }],
  ['CREDIT CARD', { in: null, out: 'LOAN_PAYMENTS' }],
  ['FEE', { in: 'BANK_FEES', out: 'BANK_FEES' }],
  ['INTEREST', { in: 'INCOME', out: 'BANK_FEES' }],
  ['LOAN', { in: null, out: 'LOAN_PAYMENTS' }],
  ['TAX', { in: 'GOVERNMENT_AND_NON_PROFIT', out: 'GOVERNMENT_AND_NON_PROFIT' }],
  ['TRANSFER', { in: 'TRANSFER_IN', out: 'TRANSFER_OUT' }],
]);
const PAY_WORD = /\b(salary|wages?|payroll|pay run)\b/i;

/**
 * The code of a row: by its category, else by the category's group, else by the row's type; null if none says anything.
 * Category ids are stable when names are reworded, so names are ignored.
 */
export function categoryOf(row: WireObject, description: string, out: boolean): PrimaryCategory | null {
  const category = inner(row, 'category');
  const id = category === null ? null : text(category, '_id');
  const known = id === null ? undefined : CODES.get(id);
  if (known !== undefined) return known;
  const groups = category === null ? null : inner(category, 'groups');
  const group = groups === null ? null : inner(groups, 'personal_finance');
  const ofGroup = group === null ? undefined : GROUPS.get(text(group, 'name') ?? '');
  return ofGroup ?? categoryOfType(text(row, 'type'), description, out);
}

function categoryOfType(type: string | null, description: string, out: boolean): PrimaryCategory | null {
  if (type === 'DIRECT CREDIT') return !out && PAY_WORD.test(description) ? 'INCOME' : null;
  const codes = TYPES.get(type ?? '');
  return codes === undefined ? null : codes[out ? 'out' : 'in'];
}
