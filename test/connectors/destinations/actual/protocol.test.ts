import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  create,
  fromBinary,
  MessageEnvelopeSchema,
  MessageSchema,
  merkle,
  SyncRequestSchema,
  SyncResponseSchema,
  Timestamp,
  toBinary,
} from '@actual-app/crdt';
import fc from 'fast-check';
import { zipEntry } from '../../../../src/connectors/destinations/actual/budget-file.ts';
import {
  MessageClock,
  readStamp,
  SyncTrie,
  writeStamp,
} from '../../../../src/connectors/destinations/actual/message-clock.ts';
import {
  budgetCurrency,
  decimalOf,
  shortest,
  unitsOf,
} from '../../../../src/connectors/destinations/actual/open-budget.ts';
import { parseServerSecret } from '../../../../src/connectors/destinations/actual/secret.ts';
import {
  BudgetKey,
  decodeSync,
  encodeSync,
} from '../../../../src/connectors/destinations/actual/sync-messages.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { currencyExponent } from '../../../../src/vocabulary/money.ts';

const GROUP = { fileId: 'file', groupId: 'group' };
const cell = fc.record({
  dataset: fc.string(),
  row: fc.string({ unit: 'grapheme' }),
  column: fc.string(),
  value: fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)),
});
const stamp = fc
  .record({
    millis: fc.integer({ min: 1_600_000_000_000, max: 1_600_900_000_000 }),
    counter: fc.integer({ min: 0, max: 0xffff }),
    client: fc.constant('74726962aaaaaaaa'),
  })
  .map(writeStamp);
const message = fc.tuple(cell, stamp).map(([one, timestamp]) => ({ ...one, timestamp }));
const asText = (value: string | number | null) =>
  value === null ? '0:' : `${typeof value === 'number' ? 'N' : 'S'}:${value}`;

describe('messages', () => {
  test('are read by the vendor’s own library as they were meant', () => {
    fc.assert(
      fc.property(fc.array(message), stamp, (messages, since) => {
        const read = fromBinary(SyncRequestSchema, encodeSync(GROUP, since, messages, null));
        assert.deepEqual([read.fileId, read.groupId, read.keyId, read.since], ['file', 'group', '', since]);
        assert.equal(read.messages.length, messages.length);
        for (const [at, { timestamp, value, ...rest }] of messages.entries()) {
          const envelope = read.messages[at];
          const { dataset, row, column, value: text } = fromBinary(MessageSchema, envelope.content);
          assert.deepEqual({ dataset, row, column }, rest);
          assert.deepEqual([envelope.timestamp, text], [timestamp, asText(value)]);
        }
      }),
    );
  });

  test('of the vendor’s own library are read as they were meant, also encrypted ones', async () => {
    const key = await BudgetKey.derive('key', 'password', 'salt');
    await fc.assert(
      fc.asyncProperty(fc.array(message), async (messages) => {
        const envelopes = messages.map(({ timestamp, value, ...rest }) =>
          create(MessageEnvelopeSchema, {
            timestamp,
            isEncrypted: false,
            content: toBinary(MessageSchema, create(MessageSchema, { ...rest, value: asText(value) })),
          }),
        );
        const response = create(SyncResponseSchema, { messages: envelopes, merkle: '{"hash":1}' });
        const read = await decodeSync(toBinary(SyncResponseSchema, response), null);
        assert.deepEqual([read.messages, read.merkle], [messages, '{"hash":1}']);
        const sealed = fromBinary(SyncRequestSchema, encodeSync(GROUP, '', messages, key));
        assert.equal(sealed.keyId, 'key');
        const back = create(SyncResponseSchema, { messages: sealed.messages, merkle: '' });
        assert.deepEqual((await decodeSync(toBinary(SyncResponseSchema, back), key)).messages, messages);
      }),
      { numRuns: 40 },
    );
  });

  test('in the clear are not taken where the budget is encrypted', async () => {
    const key = await BudgetKey.derive('key', 'password', 'salt');
    const one = { timestamp: '2026-11-22T10:00:00.000Z-0000-74726962aaaaaaaa', dataset: 'a', row: 'b' };
    const bytes = encodeSync(GROUP, '', [{ ...one, column: 'c', value: 1 }], null);
    await assert.rejects(decodeSync(bytes, key), TypeError);
  });

  test('that are many do not keep anything else waiting while they are read', async () => {
    const one = { timestamp: '2026-11-22T10:00:00.000Z-0000-74726962aaaaaaaa', dataset: 'a', row: 'b' };
    const many = Array.from({ length: 100_000 }, () => ({ ...one, column: 'c', value: null }));
    const bytes = encodeSync(GROUP, '', many, null);
    let turns = 0;
    const between = setInterval(() => turns++, 1);
    const { messages } = await decodeSync(bytes, null);
    clearInterval(between);
    assert.equal(messages.length, many.length);
    assert.ok(turns > 2, `something else had ${turns} turns`);
  });

  test('that are invalid raise an error that repeats nothing of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        try {
          await decodeSync(bytes, null);
        } catch (error) {
          assert.ok(error instanceof TypeError && error.message.length < 60);
        }
      }),
    );
  });
});

describe('the trie over all messages', () => {
  const timestampOf = (text: string) => Timestamp.parse(text) ?? assert.fail(text);
  const official = (stamps: readonly string[]) =>
    merkle.prune(stamps.reduce((trie, text) => merkle.insert(trie, timestampOf(text)), merkle.emptyTrie()));

  test('is the one that the vendor’s own library makes, and says the same of what is missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(stamp, { minLength: 1, maxLength: 60 }),
        fc.nat(),
        async (stamps, number) => {
          const whole = SyncTrie.of(null);
          await whole.add(stamps);
          assert.equal(whole.differsSince(JSON.stringify(official(stamps))), null);
          const rest = stamps.filter((_, at) => at !== number % stamps.length);
          const part = SyncTrie.of(JSON.stringify({ merkle: official(rest) }));
          const since = merkle.diff(official(stamps), official(rest));
          const expected = new Timestamp(since, 0, '0').toString();
          assert.equal(part.differsSince(JSON.stringify(official(stamps))), expected);
        },
      ),
    );
  });
});

describe('stamps', () => {
  const SEEN = '2026-11-22T10:00:00.000Z-FFFE-0123456789abcdef';
  const at = (now: string) => new MessageClock({ now: () => Date.parse(now), sleep: async () => undefined });

  test('follow every stamp that was seen, also when the clock is behind it and the counter is full', () => {
    const clock = at('2026-11-22T09:59:59Z');
    clock.saw(SEEN);
    clock.saw('2026-11-22T09:00:00.000Z-FFFF-0123456789abcdef');
    const [one, two] = [clock.next(), clock.next()];
    assert.ok(SEEN < one && one < two, `${one} ${two}`);
    assert.deepEqual(readStamp(two)?.millis, Date.parse('2026-11-22T10:00:00.001Z'));
  });

  test('are refused where devices would refuse to sync with them', () => {
    const clock = at('2026-11-22T09:54:00Z');
    clock.saw(SEEN);
    assert.throws(
      () => clock.next(),
      (error) => error instanceof DestinationFailure && error.retryable,
    );
  });

  test('of two writers differ', () => {
    assert.notEqual(at(SEEN.slice(0, 24)).next(), at(SEEN.slice(0, 24)).next());
  });
});

describe('amounts', () => {
  test('survive as units of the budget, or are refused', () => {
    const digits = fc.tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom(0, 2));
    fc.assert(
      fc.property(digits, ([units, decimals]) => {
        assert.equal(unitsOf(decimalOf(units, decimals), decimals), units);
      }),
    );
    for (const [text, decimals] of [
      ['0.005', 2],
      ['1.5', 0],
      ['99999999999999.99', 2],
      ['1e3', 2],
      ['', 2],
    ] as const)
      assert.equal(unitsOf(text, decimals), null, text);
    assert.deepEqual(['+007.10', '-0.00', '5'].map(shortest), ['7.1', '0', '5']);
  });

  test('are in a currency only where its decimals are certain', () => {
    const decimals = ['', 'AUD', 'JPY', 'IRR', 'CLP'].map((code) => budgetCurrency(code)?.decimals);
    assert.deepEqual(decimals, [2, 2, 0, 0, 2]);
    for (const code of ['KWD', 'VND', 'CLF']) {
      assert.notEqual(currencyExponent(code), 2);
      assert.equal(budgetCurrency(code), null, code);
    }
  });
});

describe('a secret', () => {
  test('is the server’s address with a password, or a session token, in it', () => {
    assert.deepEqual(parseServerSecret('https://:p%40ss%25@budget.example.org:5006/base/'), {
      server: 'https://budget.example.org:5006/base',
      password: 'p@ss%',
      token: null,
      encryptionPassword: null,
    });
    assert.deepEqual(parseServerSecret('http://token:abc@actual:5006?encryption_password=a%26b'), {
      server: 'http://actual:5006',
      password: null,
      token: 'abc',
      encryptionPassword: 'a&b',
    });
  });

  test('that is invalid is refused without being repeated', () => {
    const refused = [
      'budget.example.org',
      'ftp://:hunter2@host',
      'https://host',
      'https://user:hunter2@host',
      'https://:hunter%2@host',
      'https://:hunter2@host?other=1',
      'https://:hunter2@host#5',
      'https://token:hunter2%0Ax@host',
      'https://token:hunter2%C5%91@host',
      `https://:hunter2@host/${'x'.repeat(3000)}`,
    ];
    for (const text of refused) {
      const secret = parseServerSecret(text);
      assert.ok('refusal' in secret && !/hunter/.test(secret.refusal), text);
    }
  });
});

describe('an archive', () => {
  /** Made by another program: `sub/db.sqlite`, stored, and a comment. */
  const FOREIGN = Buffer.from(
    'UEsDBBQAAAAAAAAAIQCFEUoNCwAAAAsAAAANAAAAc3ViL2RiLnNxbGl0ZWhlbGxvIHdvcmxkUEsBAhQDFAAAAAAAAAAhAIURSg0LAAAACwAAAA0AAAAAAAAAAAAAAIABAAAAAHN1Yi9kYi5zcWxpdGVQSwUGAAAAAAEAAQA7AAAANgAAAAQAbm90ZQ==',
    'base64',
  );

  test('is read by the name of the file, whatever folder it is in', async () => {
    assert.equal(String(await zipEntry(FOREIGN, 'db.sqlite', 100)), 'hello world');
    assert.equal(await zipEntry(FOREIGN, 'metadata.json', 100), null);
    await assert.rejects(zipEntry(FOREIGN, 'db.sqlite', 5), RangeError);
  });

  test('that is damaged is invalid', async () => {
    for (let length = 0; length < FOREIGN.length - 4; length += 3)
      assert.equal(await zipEntry(FOREIGN.subarray(0, length), 'db.sqlite', 100), null, `${length}`);
    assert.equal(await zipEntry(Buffer.from('not an archive'), 'db.sqlite', 100), null);
  });
});
