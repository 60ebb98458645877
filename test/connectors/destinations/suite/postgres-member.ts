import { Scene } from '../postgres/scene.ts';
import { syncTo } from '../support/linked-world.ts';
import { MANY_ROWS } from '../support/shares.ts';
import { amountOf, connectionsOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

/** A table of a database, in chunks that the stories of the fault suite need more than one of. */
export const POSTGRES: SuiteMember = {
  name: 'Postgres',
  recognises: true,
  manyRows: MANY_ROWS,
  storyRows: { first: 45, standing: 35 },
  text: (given) => given,
  onePlace: 'rows become rows of one table',
  shown: ({ values }) => ({
    amount: amountOf(values.amount, values.currency),
    text: values.description ?? '',
    status: values.status ?? '',
  }),
  open: () => openMember(25),
};

const WRITES = /^\/(?:insert|update|delete|create|alter|merge|with)$/;

/** With the connector's own chunks, for rows in their thousands. */
export const POSTGRES_IN_BULK: SuiteMember = { ...POSTGRES, open: () => openMember() };

async function openMember(chunkRows?: number) {
  const scene = await Scene.open(chunkRows === undefined ? {} : { chunkRows });
  const { world, control, destination } = scene;
  return {
    world,
    sync: (accounts: Parameters<typeof syncTo>[2], more: Parameters<typeof syncTo>[3]) =>
      syncTo(world, destination, accounts, more),
    rows: () => scene.rows(),
    ...connectionsOf(control),
    refuse: (id: string) => void scene.execute(`alter table % add check (transaction_id <> '${id}')`),
    deleteRow: (id: string) => void scene.execute(`delete from % where transaction_id = '${id}'`),
    verified: {
      writes: () => control.requests().filter(({ path }) => WRITES.test(path)).length,
      edit: (id: string, text: string) =>
        scene.execute(`update % set description = '${text}' where transaction_id = '${id}'`),
      own: () => scene.execute("insert into % (description) values ('mine')"),
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}
