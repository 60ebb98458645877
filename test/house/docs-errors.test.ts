import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, ERROR_TYPES, errorAnchor, isErrorCode } from '../../src/vocabulary/error-codes.ts';
import { UPSTREAM_FAILURES } from '../../src/vocabulary/upstream-failures.ts';
import { headingsOf, section } from './markdown.ts';
import { readSources, readText } from './tree.ts';

const page = readText('docs/errors.md');
const codes = Object.keys(ERROR_CODES).filter(isErrorCode);

test('every code has its section in docs/errors.md, and every section is a code', () => {
  assert.deepEqual(headingsOf(page, 3).toSorted(), codes.map(errorAnchor).toSorted());
  assert.ok(codes.length > 70);
});

test('each section tells the status and type the service answers with', () => {
  const second: Readonly<Record<string, string>> = { provider_wait: ' or 503' };
  for (const code of codes) {
    const { status, type } = ERROR_CODES[code];
    const [line] = section(page, errorAnchor(code)).trim().split('\n');
    assert.equal(line, `\`${status}${second[code] ?? ''}\` \`${type}\``, code);
  }
});

test('a code has a second status only where the upstream table gives it one', () => {
  const rows: readonly { code: string; status?: number }[] = Object.values(UPSTREAM_FAILURES);
  const statuses = new Map<string, Set<number>>();
  for (const { code, status } of rows) {
    if (status !== undefined) statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
  }
  assert.deepEqual(
    [...statuses].map(([code, set]) => [code, [...set].toSorted()]),
    [['provider_wait', [429, 503]]],
  );
});

test('each section says what happened, what to do and gives an example, each of them in its own words', () => {
  const messages = new Map<string, string>();
  for (const code of codes) {
    const text = section(page, errorAnchor(code));
    for (const part of ['What happened', 'What to do', 'Example']) {
      const said = new RegExp(`^- \\*\\*${part}\\.\\*\\* (.+)$`, 'm').exec(text)?.[1] ?? '';
      assert.ok(said.length >= 5, `${code}: ${part}`);
      if (part !== 'What happened') continue;
      assert.equal(messages.get(said), undefined, `${code} says the same as ${messages.get(said)}`);
      messages.set(said, code);
    }
  }
});

test('every type is used by a code, and its status fits its type', () => {
  const allowed: Readonly<Record<string, readonly number[]>> = {
    invalid_request_error: [400, 404, 409, 413],
    authentication_error: [401],
    permission_error: [403],
    rate_limit_error: [429],
    idempotency_error: [400, 409],
    upstream_error: [424, 503],
    api_error: [500],
  };
  assert.deepEqual(Object.keys(allowed), [...ERROR_TYPES]);
  for (const type of ERROR_TYPES)
    assert.ok(
      codes.some((code) => ERROR_CODES[code].type === type),
      type,
    );
  for (const code of codes) {
    const { status, type, message } = ERROR_CODES[code];
    assert.ok(allowed[type]?.includes(status), code);
    assert.match(message, /^[A-Za-z].*\.$/, `${code}: the message is a sentence`);
  }
});

test('the codes said to wait for a later release are exactly those the source never raises', () => {
  const source = [...readSources()]
    // To declare a code is not to raise it.
    .filter(
      ([path]) => path !== 'src/vocabulary/error-codes.ts' && !path.startsWith('src/surfaces/v2/openapi/'),
    )
    .map(([, text]) => text);
  const unraised = codes.filter((code) => !source.some((text) => text.includes(`'${code}'`)));
  const documented = [...section(page, 'Not raised yet').matchAll(/\[`(\w+)`\]\(#\1\)/g)].map(
    (match) => match[1] ?? '',
  );
  assert.deepEqual(documented.toSorted(), unraised.toSorted());
});
