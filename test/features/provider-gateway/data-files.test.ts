import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { generated } from '../../support/thorough.ts';
import { compareFile } from './compare-file.ts';
import { bankFile } from './generated-bank.ts';

const sharedFile = (name: string) => new URL(`../../../../shared/data/${name}`, import.meta.url);

const FILES = [
  ['our flat bank file', new URL('../../sandbox/fixtures/flat-bank.json', import.meta.url)],
  ['our standard bank file', new URL('fixtures/standard-bank.json', import.meta.url)],
  ['the mock data holder', sharedFile('mock-data-holder/seed-data.banking.json')],
  ['the mock data holder for unit tests', sharedFile('mock-data-holder/seed-data.unit-tests.json')],
  ["the standard's own test data", sharedFile('dsb/all-data-1.29.1.json')],
] as const;

describe('What comes out of the gateway equals the bank data file, cent for cent', () => {
  for (const [name, file] of FILES) {
    const skip = existsSync(file) ? false : 'the data files are not in ../shared';
    it(`for ${name}`, { skip }, async () => {
      const raw: unknown = JSON.parse(readFileSync(file, 'utf8'));
      assert.ok((await compareFile(raw)) > 0);
    });
  }

  it('for any file of the shape', async () => {
    await fc.assert(
      fc.asyncProperty(bankFile, async (raw) => assert.ok((await compareFile(raw)) > 0)),
      { numRuns: generated(25) },
    );
  });
});
