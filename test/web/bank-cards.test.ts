import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Institution } from '#client';
import { bankCards } from '../../web/src/banks/bank-cards.ts';

const bank = (id: string, provider: Institution['provider'], name: string, more: Partial<Institution> = {}) =>
  ({
    id,
    object: 'institution',
    provider,
    name,
    short_name: name,
    logo: 'https://bank.invalid/logo.svg',
    available: true,
    status: null,
    ...more,
  }) satisfies Institution;

const waysOf = (institutions: readonly Institution[]) =>
  bankCards(institutions).map(({ ways }) => ways.map(({ id }) => id));

test('a bank that two providers offer in one country is one card with both ways', () => {
  const up = bank('inst_up_up', 'up_bank', 'Up');
  const cdr = bank('inst_fk_7', 'au_banking', 'Up Bank');
  const other = bank('inst_fk_8', 'au_banking', 'Upland Bank');
  assert.deepEqual(waysOf([up, other, cdr]), [['inst_up_up', 'inst_fk_7'], ['inst_fk_8']]);
});

test('banks of one name in two countries, or a bank and a broker, are two cards', () => {
  const names = [
    bank('inst_fk_1', 'au_banking', 'Kauri Bank'),
    bank('inst_ak_1', 'nz_banking', 'Kauri Bank'),
    bank('inst_st_1', 'brokerage', 'Kauri Bank'),
  ];
  assert.equal(bankCards(names).length, 3);
});

test('of a bank that one provider lists twice, what cannot be linked is no choice', () => {
  const classic = bank('inst_ak_1', 'nz_banking', 'Rimu Bank', { available: false });
  const official = bank('inst_ak_2', 'nz_banking', 'Rimu Bank');
  const [card, ...others] = bankCards([classic, official]);
  assert.deepEqual(others, []);
  assert.deepEqual([card?.available, card?.ways.map(({ id }) => id)], [true, ['inst_ak_2']]);
  const [closed] = bankCards([classic]);
  assert.deepEqual([closed?.available, closed?.ways.length], [false, 1]);
});

test('a card is in an outage once every way is', () => {
  const away = bank('inst_fk_7', 'au_banking', 'Up Bank', { status: 'OUTAGE' });
  assert.equal(bankCards([away])[0]?.outage, true);
  assert.equal(bankCards([away, bank('inst_up_up', 'up_bank', 'Up')])[0]?.outage, false);
});

test('names of the word alone, or of signs, keep cards of their own', () => {
  const odd = ['Bank', 'Bank of', '!!!', '株式会社'].map((name, at) =>
    bank(`inst_fk_${at}`, 'au_banking', name),
  );
  assert.equal(bankCards(odd).length, 4);
});
