import { PGlite } from '@electric-sql/pglite';
import { say, settingsOf } from './lib/child.ts';

/** The reference for memory: PGlite with its defaults, opened on a directory, running a few hundred statements. */
const STATEMENTS = 400;
const database = await PGlite.create(String(settingsOf().location));
for (let asked = 0; asked < STATEMENTS; asked++) await database.query('select $1::int as asked', [asked]);
say({ ready: true });
