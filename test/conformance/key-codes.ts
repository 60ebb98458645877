import assert from 'node:assert/strict';
import { publicId } from '../../src/vocabulary/ids.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { made, okay } from './things.ts';

const allOf = { name: 'all', scopes: ['keys:write', 'data:read'] };

/** A key of the shared owner in a state, and the operation asked about it. */
function rotating(
  prepare: (rotate: () => Promise<unknown>, id: string, scene: Scene) => Promise<unknown>,
): Provoke {
  return async (scene, operation) => {
    const { owner } = scene.things;
    const key = await made(owner, '/v2/api_keys', allOf);
    const path = `/v2/api_keys/${key.id}`;
    await prepare(async () => okay(await owner.v2('POST', `${path}/rotate`, {})), key.id, scene);
    const answer = await send(
      owner,
      askAbout(operation, () => key.id),
    );
    okay(await owner.v2('DELETE', path));
    return answer;
  };
}

const unheld: Provoke = async ({ stage, things }, operation) => {
  const weak = await stage.key(things.owner, { scopes: ['keys:write'] });
  return send(weak, askAbout(operation, things.ids));
};

export const KEY_CODES: Readonly<Record<string, Provocations>> = {
  create_api_key: {
    scope_not_held: unheld,
    key_limit_reached: async ({ stage }, operation) => {
      const owner = await stage.hurried.owner();
      return send(
        owner,
        askAbout(operation, () => ''),
      );
    },
    api_key_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('api_keys', () => send(things.owner, askAbout(operation, things.ids))),
  },
  create_simplefin_setup_token: {
    scope_not_held: unheld,
    key_limit_reached: async ({ stage }, operation) => {
      const owner = await stage.hurried.owner();
      const first = { name: 'first', twoDecimals: false, leaveOutExtra: false };
      await stage.hurried.app.services.setupTokens.create(owner.record.id, first, null);
      return send(
        owner,
        askAbout(operation, () => ''),
      );
    },
    simplefin_setup_token_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('simplefin_setup_tokens', () =>
        send(things.owner, askAbout(operation, things.ids)),
      ),
  },
  rotate_api_key: {
    scope_not_held: unheld,
    key_already_rotated: rotating((rotate) => rotate()),
    key_revoked: rotating((_rotate, id, { things }) => things.owner.v2('DELETE', `/v2/api_keys/${id}`)),
    key_expired: rotating((_rotate, id, { stage }) =>
      stage.change('api_keys', 'api_key', id, { expires_at: '2026-01-01T00:00:00Z' }),
    ),
    key_limit_reached: async ({ stage }, operation) => {
      const owner = await stage.hurried.owner();
      const { apiKeys } = stage.hurried.app.services;
      const page = await apiKeys.list(owner.record.id, { limit: 1, after: null, before: null });
      const [only] = page.items;
      assert.ok(only);
      const { key } = await apiKeys.rotate(owner.record.id, only.id, null, null);
      return send(
        owner,
        askAbout(operation, () => publicId('api_key', key.id)),
      );
    },
    api_key_rotate_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('api_keys', () => send(things.owner, askAbout(operation, things.ids))),
  },
};
