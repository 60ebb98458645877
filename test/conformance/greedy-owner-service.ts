import { sql } from 'kysely';
import { toolNamed, toolNameOf } from '../../src/operations/mcp/tool-table.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { isListSchema } from '../../src/operations/paging.ts';
import { CSV_LAYOUT, csvOf, upload } from '../features/documents/statements.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import type { Json } from '../support/v2-client.ts';
import type { Ask } from './asks.ts';
import { askAbout, type Ids } from './inputs.ts';
import { type LinkedOwner, PATIENT, Stage } from './stage.ts';
import { eventDestinationBody, made, makeThings, webhook } from './things.ts';

/** The service as a separate process, for greedy-owner.test.ts: it fills an owner's lists, then reports its pauses. */
export interface GreedyStage {
  readonly url: string;
  readonly lists: readonly GreedyList[];
}

export interface GreedyList {
  readonly id: string;
  readonly key: string;
  readonly ask: Ask;
  readonly tool: { readonly name: string; readonly args: Json } | null;
}

const PAGE = 100;
/** Nearly all that an account record may store as metadata of one kind (`metadata_bytes`), over a page of objects. */
const METADATA = JSON.stringify(
  Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, 'v'.repeat(480)])),
);
/** The same over 500 categories. */
const CATEGORY_METADATA = JSON.stringify({ note: 'v'.repeat(450), other: 'v'.repeat(440) });
const RANDOM_BYTES = String.raw`'\x' || md5(random()::text)`;
const ID = `'id', gen_random_uuid()`;

/** Copies that make each list at least a page long: the table, what differs in a copy, and of what there are copies. */
const COPIES: readonly (readonly [table: string, differs: string, of?: string])[] = [
  ['api_keys', `${ID}, 'secret_hash', ${RANDOM_BYTES}`],
  ['categories', ID],
  ['categories', ID],
  ['categories', ID],
  ['categories', ID],
  ['connections', ID],
  [
    'consents',
    `${ID}, 'connection', c.id, 'consent_hash', ${RANDOM_BYTES}, 'grant', null`,
    unusedRows('connections', 'consents', 'connection'),
  ],
  ['accounts', `${ID}, 'upstream_id', gen_random_uuid()::text`],
  [
    'syncs',
    `${ID}, 'destination', c.id, 'name', c.id::text`,
    unusedRows('destinations', 'syncs', 'destination'),
  ],
  ['sync_runs', `${ID}, 'status', 'completed'`],
  ['webhook_deliveries', `${ID}, 'event_id', gen_random_uuid()`],
  ['events', `${ID}, 'position', one.position + c.n`],
  ['saved_views', ID],
  ['rulesets', ID],
  ['rules', `${ID}, 'position', one.position + c.n`],
  ['simplefin_setup_tokens', `${ID}, 'token_hash', ${RANDOM_BYTES}`],
  ['simplefin_apps', `${ID}, 'credentials_hash', ${RANDOM_BYTES}`],
  ['oauth_grants', ID],
];

/** The rows of a table to which no row of another belongs yet. */
function unusedRows(table: string, other: string, column: string): string {
  return `(select id from ${table} where account_record = $owner
    and not exists (select from ${other} where ${column} = ${table}.id))`;
}

/** Without the filter that the conformance suite asks them with. */
const WIDE: ReadonlySet<string> = new Set([
  'list_accounts',
  'list_consents',
  'list_syncs',
  'list_categories',
]);

export function isList({ method, streamed, response }: Operation): boolean {
  return method === 'GET' && streamed === null && isListSchema(response);
}

async function enlarge({ record }: LinkedOwner, { service }: Stage): Promise<void> {
  const { db } = service.app.database;
  const run = (text: string) => sql.raw(text.replaceAll('$owner', `'${record.id}'`)).execute(db);
  for (const [table, differs, of = `(select n from generate_series(1, ${PAGE}) as n)`] of COPIES) {
    const narrowed = table === 'categories' ? 'and parent is not null' : '';
    await run(`insert into ${table}
      select (jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${differs}))).*
      from (select * from ${table} where account_record = $owner ${narrowed} order by created desc limit 1) as one, ${of} as c`);
  }
  for (const table of [
    'api_keys',
    'connections',
    'destinations',
    'event_destinations',
    'rulesets',
    'syncs',
  ]) {
    await run(`update ${table} set metadata = '${METADATA}' where account_record = $owner`);
  }
  await run(`update categories set metadata = '${CATEGORY_METADATA}' where account_record = $owner`);
}

/**
 * The longest turn of the event loop, in milliseconds of the processor that its thread used: how long everyone else
 * waits for it on a machine of its own. The clock alone would also count what other processes take.
 */
class LongestTurn {
  #timer: NodeJS.Timeout | null = null;
  #at = 0;
  #used = 0;
  #longest = 0;

  begin(): void {
    this.#longest = 0;
    this.#note();
    this.#timer = setInterval(() => {
      const [at, used] = [this.#at, this.#used];
      this.#note();
      this.#longest = Math.max(this.#longest, Math.min(this.#at - at, this.#used - used));
    }, 1);
  }

  end(): number {
    if (this.#timer !== null) clearInterval(this.#timer);
    return this.#longest;
  }

  #note(): void {
    const { user, system } = process.threadCpuUsage();
    this.#at = performance.now();
    this.#used = (user + system) / 1000;
  }
}

if (process.send !== undefined) {
  const turns = new LongestTurn();
  const stage = await Stage.open({ ...PATIENT, LIMIT_HEAVY_IN_FLIGHT: '4' });
  const owner = await stage.linked();
  const { ids } = await makeThings(owner, stage.service);
  const brokerage = await stage.newBrokerage();
  // What is sealed of them is bound to their ids, so no copies are made of them.
  await Promise.all(Array.from({ length: PAGE }, () => webhook(owner)));
  for (let at = 0; at < PAGE; at++)
    await upload(
      owner,
      `${at}.csv`,
      csvOf([{ date: '2026-10-01', amount: '-4.50', description: `Row ${at}`, reference: '' }]),
      { layout: CSV_LAYOUT },
    );
  for (let at = 0; at < 8; at++) await made(owner, '/v2/event_destinations', eventDestinationBody());
  await enlarge(owner, stage);
  const lists = OPERATIONS.filter(isList).map((operation): GreedyList => {
    const ofBrokerage = operation.planGate === 'brokerage_data';
    const { key } = ofBrokerage ? brokerage : owner;
    const named: Ids = (thing) => (ofBrokerage && thing === 'account' ? brokerage.account : ids(thing));
    const ask = askAbout(operation, named);
    const narrowing = WIDE.has(operation.id) ? '' : ask.query;
    const query = [narrowing, ...('limit' in operation.query.properties ? [`limit=${PAGE}`] : [])];
    const largest = { ...ask, query: query.filter((part) => part !== '').join('&') };
    const tool = toolNamed(toolNameOf(operation.id));
    return {
      id: operation.id,
      key,
      ask: largest,
      tool: tool && { name: tool.name, args: argumentsOf(operation, largest) },
    };
  });
  process.on('message', (message) => {
    if (message === 'begin') {
      turns.begin();
      process.send?.('begun');
    } else if (message === 'end') {
      // A pause counts once the timer behind the measurement has run.
      setTimeout(() => {
        process.send?.(turns.end());
      }, 20);
    } else void stage.close().then(() => process.exit());
  });
  process.send({ url: stage.service.url, lists } satisfies GreedyStage);
}
