import { after } from 'node:test';
import { closeServer } from '../connectors/destinations/postgres/scene.ts';
import { ACTUAL } from '../connectors/destinations/suite/actual-member.ts';
import { AIRTABLE } from '../connectors/destinations/suite/airtable-member.ts';
import { NOTION } from '../connectors/destinations/suite/notion-member.ts';
import { POSTGRES } from '../connectors/destinations/suite/postgres-member.ts';
import { SHEETS } from '../connectors/destinations/suite/sheets-member.ts';
import { WEBHOOK } from '../connectors/destinations/suite/webhook-member.ts';
import { YNAB } from '../connectors/destinations/suite/ynab-member.ts';
import { closeDatabase } from '../features/sync-engine/support/world.ts';
import { describeMonth } from './month.ts';

after(closeDatabase);
after(closeServer);

/**
 * Seeds of each destination; MONTH_SEEDS=200 plays as many, from MONTH_FROM on, and MONTH_AT names one destination by its
 * place here.
 */
const SEEDS = Number(process.env.MONTH_SEEDS ?? '0');
const FROM = Number(process.env.MONTH_FROM ?? '1');
const AT = process.env.MONTH_AT;
const MEMBERS = [WEBHOOK, POSTGRES, SHEETS, AIRTABLE, YNAB, ACTUAL, NOTION];

for (const [at, member] of MEMBERS.entries()) {
  if (AT !== undefined && AT !== String(at)) continue;
  const count = SEEDS > 0 ? SEEDS : at < 1 ? 1 : 0;
  describeMonth(
    member,
    Array.from({ length: count }, (_, seed) => FROM + seed),
  );
}
