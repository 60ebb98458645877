import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../../features/sync-engine/support/death.ts';
import { addedInAll, losesRenewal, recover, requireRows, resync, run } from './checks.ts';
import { BULK_ROWS, type SuiteMember, type SuiteScene } from './suite-scene.ts';

const WHENS = ['before', 'during', 'after'] as const;
const options = { include_pending: true };
/**
 * Statements between two deaths. Every one would take minutes for each destination: `npm test` takes every 25th,
 * and `.ci/run` every fourth on Postgres.
 */
const STEP = Number(process.env.FAULT_STEP ?? 25);
/**
 * A request can lose its connection before, during and after its answer: so many of these faults lie between two that
 * are tried. No multiple of their three kinds, so that each comes up: every tenth in `npm test`, every one in `.ci/run`.
 */
const REQUEST_STEP = WHENS.length * Math.floor(STEP / 8) + 1;
assert.ok(STEP >= 1, 'FAULT_STEP is a number of statements');

interface Story {
  readonly scene: SuiteScene;
  readonly sync: Sync;
  /** What is there once everything is delivered. */
  readonly ids: readonly string[];
  /** How many rows all runs together have to count as added. */
  readonly added: number;
  /** The most they may count where a process died in between; absent for as many. */
  readonly addedAtMost?: number;
}

/** A first run of more than one chunk, whatever the chunk. */
async function firstRun(member: SuiteMember): Promise<Story> {
  const scene = await member.open();
  const account = scene.world.account();
  const { first } = member.storyRows ?? BULK_ROWS;
  const rows = Array.from({ length: first }, (_, at) => posted(at + 1, { day: 49 }));
  scene.world.bank.accounts.set(account, rows);
  const sync = await scene.sync([account], { options });
  return { scene, sync, ids: rows.map(({ id }) => id), added: rows.length };
}

/** A later run with something of everything: new rows, a changed one, a pending one that posted and one that vanished. */
async function laterRun(member: SuiteMember): Promise<Story> {
  const scene = await member.open();
  const account = scene.world.account();
  const old = Array.from({ length: 20 }, (_, at) => posted(at + 1, { day: 49 }));
  const [posts, vanishes] = [pending(1, { day: 48, cents: -500 }), pending(2, { day: 48, cents: -600 })];
  scene.world.bank.accounts.set(account, [...old, posts, vanishes]);
  const sync = await scene.sync([account], { options });
  await run(scene, sync);
  const rows = [
    ...old.map((row, at) => (at === 4 ? posted(5, { day: 49, cents: 1 }) : row)),
    posted(50, { day: 49, cents: -500 }),
    ...Array.from({ length: 8 }, (_, at) => posted(100 + at, { day: 49 })),
  ];
  scene.world.bank.accounts.set(account, rows);
  return { scene, sync, ids: rows.map(({ id }) => id), added: 22 + 8 };
}

/** A resync of rows that are there, with some that do not. */
async function againRun(member: SuiteMember): Promise<Story> {
  const scene = await member.open();
  const account = scene.world.account();
  const { standing } = member.storyRows ?? BULK_ROWS;
  const old = Array.from({ length: standing }, (_, at) => posted(at + 1, { day: 49 }));
  scene.world.bank.accounts.set(account, old);
  const sync = await scene.sync([account], { options });
  await run(scene, sync);
  const rows = [...old, ...Array.from({ length: 6 }, (_, at) => posted(1000 + at, { day: 49 }))];
  scene.world.bank.accounts.set(account, rows);
  await resync(scene, sync);
  const added = rows.length;
  const addedAtMost = member.uncertainResync === undefined ? added : old.length + rows.length;
  return { scene, sync, ids: rows.map(({ id }) => id), added, addedAtMost };
}

const STORIES = { 'a first run': firstRun, 'a later run': laterRun, 'a resync': againRun };

async function requireWhole(story: Story, about: string, most = story.added): Promise<void> {
  const { scene, sync, ids, added } = story;
  requireRows(scene, ids, about);
  const counted = await addedInAll(scene, sync);
  assert.ok(counted >= added && counted <= most, `${counted} of ${added} counted as added, ${about}`);
  assert.deepEqual(await scene.world.inDoubt(sync), [], about);
}

/** Every row once, and counted once, whatever breaks. */
export function describeFaults(member: SuiteMember): void {
  describe(`${member.name}, when something breaks`, () => {
    for (const [name, story] of Object.entries(STORIES)) {
      test(`has each row once, and counts it once, whichever request of ${name} loses its connection`, async () => {
        const undisturbed = await story(member);
        const before = undisturbed.scene.requests();
        await recover(undisturbed.scene, undisturbed.sync);
        await requireWhole(undisturbed, 'undisturbed');
        const requests = undisturbed.scene.requests() - before;
        await undisturbed.scene[Symbol.asyncDispose]();
        assert.ok(requests > 0);
        const faults = Array.from({ length: requests }, (_, request) =>
          WHENS.map((when) => ({ request, when })),
        ).flat();
        for (let fault = 0; fault < faults.length; fault += REQUEST_STEP) {
          const { request, when } = faults[fault] ?? assert.fail();
          const begun = await story(member);
          await using scene = begun.scene;
          scene.drop(request, when);
          await recover(scene, begun.sync);
          await requireWhole(begun, `request ${request} of ${requests}, connection lost ${when} its answer`);
        }
      });

      test(`has each row once, and counts it once, wherever the process dies in ${name}`, async () => {
        for (let statement = 4; ; statement += STEP) {
          const begun = await story(member);
          await using scene = begun.scene;
          const deaths: boolean[] = [];
          const isLost = await losesRenewal(scene, async () =>
            deaths.push(await runAndDie(scene.world, begun.sync, statement)),
          );
          await recover(scene, begun.sync, isLost);
          await requireWhole(begun, `before statement ${statement}`, begun.addedAtMost);
          if (!deaths.includes(true)) return;
        }
      });
    }
  });
}
