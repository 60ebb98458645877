import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServerSecret } from '../../src/connectors/destinations/actual/secret.ts';
import { actualSecret } from '../../web/src/destinations/server-address.ts';

test('what a person enters for an Actual server is what the service reads, whatever characters it has', () => {
  for (const word of ['simple', 'a@b/c?d#e%f:g h', '100%', 'ümlaut ✓']) {
    for (const isToken of [false, true]) {
      const secret = actualSecret({
        server: ' https://budget.example.org/actual/ ',
        word: isToken ? encodeURIComponent(word) : word,
        isToken,
        encryptionPassword: word,
      });
      const expected = isToken
        ? { password: null, token: encodeURIComponent(word) }
        : { password: word, token: null };
      assert.deepEqual(parseServerSecret(secret ?? ''), {
        server: 'https://budget.example.org/actual',
        ...expected,
        encryptionPassword: word,
      });
    }
  }
});

test('an address of an Actual server that is none makes no secret', () => {
  for (const server of ['', 'budget.example.org', 'ftp://budget.example.org']) {
    assert.equal(actualSecret({ server, word: 'x', isToken: false, encryptionPassword: '' }), null);
  }
});
