import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameObjection, showableName, tidyName } from '../../src/vocabulary/shown-names.ts';

test('names in one script are shown, and those of Japanese, Chinese and Korean with Latin', () => {
  for (const name of [
    'Tāmati & Co. (2026)',
    'Crédit Agricole',
    'Семья',
    'Σπίτι',
    'הבית שלנו',
    'عائلة',
    'घर',
    '家計簿 カケイボ Kakeibo',
    '우리집 Home',
    'Home 🏡',
    '1234',
  ])
    assert.equal(nameObjection(tidyName(name)), null, name);
});

test('a letter of another script, an invisible character and a blank name are objected to', () => {
  for (const name of [
    'P\u0430ypal',
    'Payp\u0251l \u0394',
    '\u0410pple',
    'Apple \u0414\u043e\u043c',
    '\u05d0b',
  ])
    assert.equal(nameObjection(name), 'mixed', name);
  for (const hidden of ['\u200b', '\u202e', '\u2066', '\u034f', '\u3164', '\u2800', '\u180e', '\n', '\ue000'])
    assert.equal(nameObjection(`a${hidden}b`), 'unshowable', JSON.stringify(hidden));
  assert.equal(nameObjection('\u0301'), 'blank');
});

test('spaces, composed accents and looks of signs are unified, and invisible characters of names of others left out', () => {
  assert.equal(tidyName(' Ta\u0304mati\u2003\u00a0home ☕\ufe0f '), 'Tāmati home ☕');
  assert.equal(showableName('Cl\u200baude\u202e'), 'Claude');
  for (const name of ['\u200b', '', 'Cl\u0430ude']) assert.equal(showableName(name), null);
});
