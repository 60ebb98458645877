import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { EXAMPLE_INSTITUTION, exampleId } from '../../../src/operations/v2/docs/examples.ts';
import { transactionExample } from '../../../src/operations/v2/transactions/resource.ts';
import { type Thing, thingsInPath } from '../../conformance/asks.ts';
import type { LinkedOwner, Stage } from '../../conformance/stage.ts';
import { makeThings, okay } from '../../conformance/things.ts';
import { BANK } from '../../features/linking/person.ts';
import { OWN_THINGS } from './own-things.ts';

/** Everything that an example can name. */
const NAMED = [...new Set(OPERATIONS.flatMap(thingsInPath))];

/** The first example of a category is the group that the second is in. */
const shownId = (thing: Thing): string =>
  thing === 'transaction' ? transactionExample.id : exampleId(thing, thing === 'category' ? 2 : 1);

/** Someone who has what the examples name. */
export interface ExampleWorld {
  readonly owner: LinkedOwner;
  /** The example of the operation as its reader sends it: with ids of their own in the place of those it shows. */
  filledIn(operation: string, example: string): string;
}

export async function exampleWorld(stage: Stage): Promise<ExampleWorld> {
  const { owner, ids } = await makeThings(await stage.linked(), stage.service);
  const category = okay(await owner.v2('GET', `/v2/categories/${ids('category')}`)).body;
  const own = new Map<string, Readonly<Partial<Record<Thing, string>>>>();
  for (const [operation, make] of Object.entries(OWN_THINGS)) own.set(operation, await make(owner, stage));
  return {
    owner,
    filledIn: (operation, example) => {
      const mine = (thing: Thing): string => own.get(operation)?.[thing] ?? ids(thing);
      return NAMED.reduce(
        (text, thing) => text.replaceAll(shownId(thing), mine(thing)),
        example.replaceAll(EXAMPLE_INSTITUTION.id, BANK).replaceAll(exampleId('category'), category.parent),
      );
    },
  };
}
