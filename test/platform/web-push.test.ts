import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arePushKeys, encryptedForPush, VapidKey } from '../../src/platform/web-push.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

/** RFC 8291, appendix A. */
const KEYS = {
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
};
const TEXT = 'When I grow up, I want to be a watermelon';

test('a message is encrypted as the example of RFC 8291 is, byte for byte', () => {
  const body = encryptedForPush(KEYS, TEXT, {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    messageBytes: TEXT.length + 1,
  });
  assert.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('no two messages are encrypted alike, and all are equally long', () => {
  const [one, two] = [encryptedForPush(KEYS, 'a'), encryptedForPush(KEYS, 'a'.repeat(2_000))];
  assert.ok(!one.equals(encryptedForPush(KEYS, 'a')));
  assert.equal(one.length, two.length);
  assert.ok(one.length <= 4_096, 'push services take no more');
  assert.throws(() => encryptedForPush(KEYS, 'a'.repeat(2_048)), RangeError);
});

test('only keys that a message can be encrypted for are keys of a subscription', () => {
  assert.ok(arePushKeys(KEYS));
  assert.ok(!arePushKeys({ ...KEYS, p256dh: Buffer.alloc(65, 4) }), 'not on the curve');
  assert.ok(!arePushKeys({ ...KEYS, p256dh: KEYS.p256dh.subarray(1) }));
  assert.ok(!arePushKeys({ ...KEYS, auth: KEYS.auth.subarray(1) }));
});

test('a key that begins with zeros is as good as any', () => {
  const key = Buffer.alloc(32);
  key[31] = 7;
  assert.match(new VapidKey(key).authorization('https://push.example/x', 'mailto:a@b.c', 0), /^vapid t=/);
  assert.equal(VapidKey.generate().length, 32);
  assert.throws(() => new VapidKey(Buffer.alloc(32)));
});
