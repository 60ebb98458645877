import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { guessDecimalSign, readAmount } from '../../src/statements/amounts.ts';
import { guessDateOrder, readDate } from '../../src/statements/dates.ts';
import { readOfxMoment } from '../../src/statements/ofx/ofx-file.ts';
import { Reading } from '../../src/statements/reading.ts';

const reading = () => new Reading({ signal: new AbortController().signal });

/** An amount in minor units and the number of its decimals. */
const amount = fc.tuple(fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }), fc.integer({ min: 0, max: 4 }));
const locale = fc.constantFrom(
  { group: ',', sign: '.' },
  { group: '.', sign: ',' },
  { group: '’', sign: '.' },
  { group: "'", sign: '.' },
  { group: ' ', sign: ',' },
  { group: '\u00a0', sign: ',' },
  { group: '\u202f', sign: ',' },
  { group: '', sign: '.' },
  { group: '', sign: ',' },
);
const dress = fc.constantFrom<(negative: boolean, digits: string) => string>(
  (negative, digits) => (negative ? `-${digits}` : digits),
  (negative, digits) => (negative ? `\u2212${digits}` : `+${digits}`),
  (negative, digits) => (negative ? `${digits}-` : digits),
  (negative, digits) => (negative ? `(${digits})` : digits),
  (negative, digits) => (negative ? `-€${digits}` : `€ ${digits}`),
  (negative, digits) => (negative ? `($${digits})` : `$${digits}`),
  (negative, digits) => (negative ? `CHF -${digits}` : `CHF ${digits}`),
  (negative, digits) => (negative ? `${digits} DR` : `${digits} CR`),
  (negative, digits) => ` ${negative ? '- ' : ''}${digits} EUR `,
);

function digitsOf(minor: bigint, decimals: number, group: string, sign: string): string {
  const text = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, group);
  return decimals === 0 ? whole : `${whole}${sign}${text.slice(-decimals)}`;
}

function plain(minor: bigint, decimals: number): string {
  return `${minor < 0n ? '-' : ''}${digitsOf(minor, decimals, '', '.')}`;
}

test('an amount of any locale, with any sign and currency, is read exactly', () => {
  fc.assert(
    fc.property(amount, locale, dress, ([minor, decimals], { group, sign }, written) => {
      const text = written(minor < 0n, digitsOf(minor, decimals, group, sign));
      assert.equal(readAmount(text, sign === '.' ? '.' : ','), plain(minor, decimals), text);
    }),
  );
});

test('the decimal sign is decided by all amounts of a file, and never against one of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(amount, { minLength: 1, maxLength: 20 }),
      locale,
      async (amounts, { group, sign }) => {
        const texts = amounts.map(([minor, decimals]) => digitsOf(minor, decimals, group, sign));
        const guess = await guessDecimalSign(texts, reading());
        if (!guess.certain) return;
        assert.deepEqual(
          texts.map((text) => readAmount(text, guess.sign)),
          amounts.map(([minor, decimals]) => plain(minor < 0n ? -minor : minor, decimals)),
        );
      },
    ),
  );
});

test('a text that is not one amount is never read as one', () => {
  for (const text of [
    '',
    '-',
    'EUR',
    '1-2',
    '1,23,4',
    '1.2.3,4,5',
    '12 5',
    '--5',
    '(-5)',
    '+-5',
    '-5 CR',
    '1e5',
    '0x10',
    '31/01/2026',
    '12:30',
    '5%',
    '1,2 3,4',
    'N/A',
    '=1+2',
    '1'.repeat(61),
  ]) {
    for (const sign of ['.', ',', null] as const)
      assert.equal(readAmount(text, sign), null, `${text} ${sign}`);
  }
});

test('a decimal sign that contradicts the amount makes it unreadable instead of another amount', () => {
  assert.equal(readAmount('1,50', '.'), null);
  assert.equal(readAmount('1.234,50', '.'), null);
  assert.equal(readAmount('1,234', ','), '1.234');
  assert.equal(readAmount('12,34,567.80', '.'), '1234567.80');
  assert.equal(readAmount('-0.00', '.'), '0.00');
  assert.equal(readAmount('.5', '.'), '0.5');
});

const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const NAMES = [
  'January',
  'févr.',
  'März',
  'abril',
  'mei',
  'giugno',
  'Jul',
  'août',
  'Sept',
  'oct.',
  'novembro',
  'Dez.',
];

test('a day written in any usual form is read as that day', () => {
  fc.assert(
    fc.property(
      day,
      fc.constantFrom('.', '/', '-', ' '),
      fc.constantFrom('', ' 14:05', ' 09:30:00'),
      (iso, between, time) => {
        const [year = '', month = '', of = ''] = iso.split('-');
        const named = NAMES[Number(month) - 1] ?? '';
        const forms = [
          ['dmy', `${of}${between}${month}${between}${year}${time}`],
          ['mdy', `${month}${between}${of}${between}${year}${time}`],
          ['ymd', `${year}${between}${month}${between}${of}${time}`],
          ['dmy', `${Number(of)}/${Number(month)}/${year.slice(2)}`],
          ['mdy', `${Number(month)}/${Number(of)}'${year.slice(2)}`],
          ['ymd', `${year}${month}${of}`],
          ['dmy', `${of}${month}${year}`],
          ['ymd', `${iso}T10:00:00Z`],
          ['dmy', `${Number(of)} ${named} ${year}`],
          ['mdy', `${Number(of)}-${named}-${year.slice(2)}`],
          ['ymd', `${named} ${Number(of)}, ${year}`],
        ] as const;
        for (const [order, text] of forms) assert.equal(readDate(text, order), iso, `${text} ${order}`);
      },
    ),
  );
});

describe('the order of day and month is decided over all dates', () => {
  const cases: ReadonlyArray<readonly [order: string, certain: boolean, texts: readonly string[]]> = [
    ['dmy', true, ['01/02/2026', '13/02/2026']],
    ['mdy', true, ['01/02/2026', '02/13/2026']],
    ['ymd', true, ['2026-01-02', '2026-02-03']],
    ['dmy', true, ['01.02.2026', '02.02.2026']],
    ['dmy', false, ['01/02/2026', '02/02/2026', '03/02/2026']],
    ['mdy', false, ['02/01/2026', '02/02/2026', '02/03/2026']],
    ['dmy', true, ['01/01/10', '01/06/10', '29/12/10']],
    ['dmy', true, ['3/3/26', '4/4/26']],
    ['ymd', true, ['3 Mar 2026', '5 Mar 2026']],
  ];
  for (const [order, certain, texts] of cases) {
    test(texts.join(', '), async () => {
      const guess = await guessDateOrder(texts, reading());
      assert.deepEqual([guess.order, guess.certain], [order, certain]);
    });
  }
});

test('a moment of OFX keeps the day and the offset as written', () => {
  const moments: ReadonlyArray<readonly [string, string | null, string | null]> = [
    ['20260131', '2026-01-31', null],
    ['20260131120000.000[-5:EST]', '2026-01-31', null],
    ['20260131143005[-5:EST]', '2026-01-31', '2026-01-31T14:30:05-05:00'],
    ['20260131143005.250[0:GMT]', '2026-01-31', '2026-01-31T14:30:05.250Z'],
    ['20260131143005[+5.5:IST]', '2026-01-31', '2026-01-31T14:30:05+05:30'],
    ['20260131143005[-3.30]', '2026-01-31', '2026-01-31T14:30:05-03:30'],
    ['20260131143005[GMT]', '2026-01-31', '2026-01-31T14:30:05Z'],
    ['20260131143005', '2026-01-31', null],
    ['20260131250000[-5:EST]', '2026-01-31', null],
    ['202601311430', '2026-01-31', null],
    ['2026-01-31', '2026-01-31', null],
    ['20260231', null, null],
    ['', null, null],
  ];
  for (const [text, date, datetime] of moments) {
    const read = readOfxMoment(text);
    assert.deepEqual([read?.date ?? null, read?.datetime ?? null], [date, datetime], text);
  }
});
