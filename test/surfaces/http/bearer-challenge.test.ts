import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearerChallenge } from '../../../src/surfaces/http/header-values.ts';

const resourceMetadata = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

test('a challenge names the metadata of the resource, and what was wrong with the token if there was one', () => {
  assert.equal(bearerChallenge({ resourceMetadata }), `Bearer resource_metadata="${resourceMetadata}"`);
  assert.equal(
    bearerChallenge({ resourceMetadata, error: 'insufficient_scope', scope: 'mcp:read brokerage:read' }),
    `Bearer error="insufficient_scope", scope="mcp:read brokerage:read", resource_metadata="${resourceMetadata}"`,
  );
});

test('nothing breaks out of an attribute of a challenge', () => {
  assert.throws(() => bearerChallenge({ resourceMetadata, scope: 'a", realm="b' }), TypeError);
  assert.throws(
    () => bearerChallenge({ resourceMetadata: 'https://a.example/\r\nset-cookie: b' }),
    TypeError,
  );
});
