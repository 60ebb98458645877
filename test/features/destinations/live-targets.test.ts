import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { DESTINATION_TYPES, type DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { connected, scenesOf, type Target, type TargetScene } from './target-scenes.ts';

let service: TestService;
let owner: TestOwner;
let accounts: readonly string[];
let scenes: ReadonlyMap<DestinationType, TargetScene>;
before(async () => {
  service = await startService();
  owner = await service.owner();
  scenes = new Map(scenesOf(service).map((scene) => [scene.type, scene]));
  const connection = await importedConnection(owner, await linkBank(owner));
  accounts = connection.accounts.map((account: Json) => account.id);
});
after(() => service.close());

function refused(answer: Answer, param: string, what: string): void {
  const { error } = answer.body;
  assert.deepEqual([answer.status, error?.code, error?.param], [400, 'parameter_invalid', param], what);
  assert.match(error.message, /\.$/, what);
}

function okay(answer: Answer): Json {
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

const post = (path: string, body: object) => owner.v2('POST', path, body);
const read = async (path: string): Promise<Json> => okay(await owner.v2('GET', path));
const at = (index: number): string => accounts[index] ?? assert.fail();
const sceneOf = (type: DestinationType): TargetScene => scenes.get(type) ?? assert.fail(type);

async function aimed(scene: TargetScene, target: Target): Promise<string> {
  const id = await connected(owner, scene);
  assert.equal(okay(await post(`/v2/destinations/${id}`, { target })).status, 'active');
  return id;
}

const newSync = (destination: string, more: object) =>
  post('/v2/syncs', {
    type: 'transactions',
    name: 'Rows',
    destination,
    accounts: [at(0), at(1)],
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });

const countOf = async (path: string): Promise<number> => {
  let count = 0;
  for (let next: string | null = `${path}?limit=100`; next !== null; ) {
    const page: Json = await read(next);
    count += page.data.length;
    next = page.next_page_url === null ? null : page.next_page_url.slice(page.next_page_url.indexOf('/v2/'));
  }
  return count;
};

/** What a sync needs beside its accounts, with good places. */
function mapped(scene: TargetScene, target: Target): object {
  const places = scene.places?.(target);
  if (places === undefined) return {};
  const account_mappings = places.good.map((id, index) => places.entry(at(index), id));
  return { mapping_mode: 'per_account', account_mappings };
}

for (const type of DESTINATION_TYPES) {
  describe(`a target of type ${type} is looked at when it is set`, () => {
    test('and a destination without one stays without one that cannot be written to', async () => {
      const scene = sceneOf(type);
      const id = await connected(owner, scene);
      const before = await read(`/v2/destinations/${id}`);
      for (const { wrong, key, make } of scene.bad) {
        refused(await post(`/v2/destinations/${id}`, { target: await make() }), `target.${key}`, wrong);
      }
      assert.deepEqual(await read(`/v2/destinations/${id}`), before);
      const target = await scene.good();
      const { body } = await post(`/v2/destinations/${id}`, { target });
      assert.deepEqual([body.status, body.target], ['active', target], JSON.stringify(body));
    });

    test('and one that has one keeps it', async () => {
      const scene = sceneOf(type);
      const target = await scene.good();
      const id = await aimed(scene, target);
      for (const { wrong, key, make } of scene.bad) {
        refused(await post(`/v2/destinations/${id}`, { target: await make() }), `target.${key}`, wrong);
      }
      assert.deepEqual((await read(`/v2/destinations/${id}`)).target, target);
      const next = await scene.good();
      assert.deepEqual(okay(await post(`/v2/destinations/${id}`, { target: next })).target, next);
    });

    test('also where it comes with a new destination, of which nothing is left', async () => {
      const scene = sceneOf(type);
      if (scene.body === null) return;
      const before = await countOf('/v2/destinations');
      for (const { wrong, key, make } of scene.bad) {
        refused(
          await post('/v2/destinations', { ...scene.body, target: await make() }),
          `target.${key}`,
          wrong,
        );
      }
      assert.equal(await countOf('/v2/destinations'), before);
      const target = await scene.good();
      const created = okay(await post('/v2/destinations', { ...scene.body, target }));
      assert.deepEqual([created.status, created.target], ['active', target]);
    });

    test('and again when a sync is to write there', async () => {
      const scene = sceneOf(type);
      const target = await scene.good();
      const id = await aimed(scene, target);
      const more = mapped(scene, target);
      if (scene.remove !== undefined) {
        const before = await countOf('/v2/syncs');
        const gone = await scene.good();
        const other = await aimed(scene, gone);
        const there = mapped(scene, gone);
        await scene.remove(gone);
        refused(await newSync(other, there), 'destination', 'a target that is gone');
        assert.equal(await countOf('/v2/syncs'), before);
      }
      okay(await newSync(id, more));
    });
  });
}

describe('what accounts are mapped to is looked at when it is set', () => {
  const mappedTypes = ['sheets', 'ynab', 'actual'] as const;
  for (const type of mappedTypes) {
    test(`in ${type}, with a new sync and with one that is there`, async () => {
      const scene = sceneOf(type);
      const target = await scene.good();
      const destination = await aimed(scene, target);
      const { good, bad, entry } = scene.places?.(target) ?? assert.fail();
      const [member = ''] = Object.keys(entry('', '')).filter((key) => key !== 'account');
      const per = { mapping_mode: 'per_account' };
      const withBad = (id: string) => ({ account_mappings: [entry(at(0), good[0]), entry(at(1), id)] });
      const param = `account_mappings[1].${member}`;
      for (const [wrong, id] of Object.entries(bad)) {
        refused(await newSync(destination, { ...per, ...withBad(id) }), param, wrong);
      }
      assert.equal((await read(`/v2/destinations/${destination}`)).sync_count, 0);
      const sync = okay(await newSync(destination, { ...per, ...withBad(good[1]) }));
      for (const [wrong, id] of Object.entries(bad)) {
        refused(await post(`/v2/syncs/${sync.id}`, { ...withBad(id), name: 'Other' }), param, wrong);
      }
      const kept = await read(`/v2/syncs/${sync.id}`);
      assert.deepEqual([kept.name, kept.account_mappings], ['Rows', sync.account_mappings]);
      const [one, other] = [entry(at(0), good[1]), entry(at(1), good[0])];
      const moved = okay(await post(`/v2/syncs/${sync.id}`, { account_mappings: [one, other] }));
      assert.equal(moved.account_mappings[0][member], good[1]);
      await scene.remove?.(target);
      refused(
        await post(`/v2/syncs/${sync.id}`, { account_mappings: [one, other] }),
        'account_mappings',
        'a target that is gone',
      );
      assert.equal(okay(await post(`/v2/syncs/${sync.id}`, { name: 'Other' })).name, 'Other');
    });
  }

  for (const type of ['ynab', 'actual'] as const) {
    test(`and so are categories of ${type}`, async () => {
      const scene = sceneOf(type);
      const target = await scene.good();
      const sync = okay(await newSync(await aimed(scene, target), mapped(scene, target)));
      const { good, bad } = scene.categories?.(target) ?? assert.fail();
      const set = (...ids: readonly (string | null)[]) => {
        const codes = ['FOOD_AND_DRINK_GROCERIES', 'FOOD_AND_DRINK_COFFEE', 'RENT_AND_UTILITIES_RENT'];
        const mappings = ids.map((id, index) => ({
          provider_category: codes[index],
          destination_category: id,
        }));
        return post(`/v2/syncs/${sync.id}/category_mappings`, { mappings });
      };
      const stored = okay(await set(good[0], good[1])).data;
      for (const [wrong, id] of Object.entries(bad)) {
        refused(await set(null, good[0], id), 'mappings[2].destination_category', wrong);
      }
      assert.deepEqual((await read(`/v2/syncs/${sync.id}/category_mappings`)).data, stored);
      await scene.remove?.(target);
      refused(await set(good[0]), 'mappings', 'a target that is gone');
      assert.deepEqual(okay(await set()).data, []);
    });
  }
});

test('docs/destinations.md#checking-targets lists what is tried here, and nothing else', async () => {
  const docs = readFileSync(new URL('../../../docs/destinations.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Checking targets$(.*?)^## /ms.exec(docs) ?? [];
  const rows = section.matchAll(/^\| `(\w+)` \| `([^`]+)` \| ([^|]+) \|$/gm);
  const listed = [...rows].flatMap(([, type, field, refused = '']) =>
    refused.split(', ').map((wrong) => `${type} ${field}: ${wrong}`),
  );
  const tried: string[] = [];
  for (const scene of scenes.values()) {
    const note = (field: string, wrong: string) => tried.push(`${scene.type} ${field}: ${wrong}`);
    for (const { key, wrong } of scene.bad) note(`target.${key}`, wrong);
    const target = await scene.good();
    const { bad = {}, entry } = scene.places?.(target) ?? {};
    const [, member] = Object.keys(entry?.('', '') ?? {});
    for (const wrong of Object.keys(bad)) note(`account_mappings[].${member}`, wrong);
    for (const wrong of Object.keys(scene.categories?.(target).bad ?? {})) {
      note('mappings[].destination_category', wrong);
    }
  }
  assert.deepEqual(listed.toSorted(), tried.toSorted());
});
