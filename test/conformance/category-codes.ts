import type { Json } from '../support/v2-client.ts';
import { send } from './asks.ts';
import { idsOf } from './bank-faults.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';

/** The owner's category tree was never used, and cannot be created now. */
export const unplanted: Provoke = async ({ stage, things }, operation) => {
  const readsAccount = JSON.stringify(askAbout(operation, things.ids)).includes('acct_');
  const linked = readsAccount ? await stage.linked() : null;
  const owner = linked ?? (await stage.service.owner());
  const ids = linked === null ? things.ids : await idsOf(linked, things);
  return stage.withBrokenTable('categories', () => send(owner, askAbout(operation, ids)));
};

async function group({ things }: Scene): Promise<string> {
  const list = await things.owner.v2('GET', '/v2/categories?parent=none');
  return list.body.data.find((one: Json) => one.category_count > 0).id;
}

export const CATEGORY_CODES: Readonly<Record<string, Provocations>> = {
  create_category: {
    resource_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { name: 'x', parent: 'cat_nowhere' } }),
    category_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('categories', () => send(things.owner, askAbout(operation, things.ids))),
  },
  update_category: {
    category_is_group: async (scene, operation) => {
      const id = await group(scene);
      const parent = (await scene.things.owner.v2('GET', '/v2/categories?parent=none')).body.data.at(-1).id;
      return send(scene.things.owner, { ...askAbout(operation, () => id), body: { parent } });
    },
  },
  delete_category: {
    category_has_children: async (scene, operation) => {
      const id = await group(scene);
      return send(
        scene.things.owner,
        askAbout(operation, () => id),
      );
    },
    category_is_group: async (scene, operation) => {
      const list = await scene.things.owner.v2('GET', '/v2/categories');
      const category = list.body.data.find((one: Json) => one.parent !== null).id;
      const query = `reassign_to=${await group(scene)}`;
      return send(scene.things.owner, { ...askAbout(operation, () => category), query });
    },
  },
  assign_category: {
    category_is_group: async (scene, operation) => {
      const { owner, ids } = scene.things;
      const category = await group(scene);
      const body = { account: ids('account'), transactions: ['txn_fk_1'], category };
      return send(owner, { ...askAbout(operation, ids), body });
    },
  },
  claim_category_sources: {
    category_is_group: async (scene, operation) => {
      const id = await group(scene);
      return send(
        scene.things.owner,
        askAbout(operation, () => id),
      );
    },
  },
};
