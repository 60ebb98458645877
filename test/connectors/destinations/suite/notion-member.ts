import { Scene } from '../notion/scene.ts';
import { signIn } from '../notion/sign-in.ts';
import { amountOf, connectionsOf, describeAs, writesOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

/** A database, in small chunks: each row is a call. */
export const NOTION: SuiteMember = {
  name: 'Notion',
  recognises: true,
  manyRows: 300,
  storyRows: { first: 14, standing: 10 },
  onePlace: 'rows become pages of one database',
  text: (given) => given,
  shown: ({ values }) => ({
    amount: amountOf(values.Amount, values.Currency),
    text: values.Description ?? '',
    status: values.Status ?? '',
  }),
  open: async () => {
    const scene = await Scene.open({ chunkRows: 8 });
    const { world, connector, destination, notion } = scene;
    return {
      world,
      sync: (accounts, more) => scene.sync(accounts, more),
      rows: () => scene.rows,
      ...connectionsOf(notion.control, { world, destination, signIn: () => signIn(connector) }),
      refuse: (id) => describeAs(world, id, TOO_LONG),
      deleteRow: (id) => notion.control.trash(scene.pageOf(id), true),
      plainIds: () => {
        for (const { id } of scene.rows.filter((row) => row.id.includes('/')))
          notion.control.editText(scene.pageOf(id), 'Transaction ID', id.slice(id.indexOf('/') + 1));
      },
      verified: {
        writes: writesOf(notion.control, /\/query$/),
        edit: (id, text) => notion.control.editText(scene.pageOf(id), 'Description', text),
        copy: (id) => void notion.control.copyRow(scene.pageOf(id)),
        own: () => {
          const [first] = scene.rows;
          const page = notion.control.copyRow(scene.pageOf(first?.id ?? ''));
          notion.control.editText(page, 'Transaction ID', '');
        },
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};

/** Longer than Notion takes. */
const TOO_LONG = 'x'.repeat(200_001);
