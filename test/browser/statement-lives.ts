import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ofxOf, type TestRow, upload } from '../features/documents/statements.ts';
import type { TestOwner } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';

/** A CSV as many banks in Europe write it. That the day comes first shows nowhere in it. */
export const GERMAN_CSV = `Datum;Verwendungszweck;Notiz;Betrag
03/09/2026;Corner Coffee;Flat white;-4,50
04/09/2026;Salary;September;2.500,00
05/09/2026;Book shop;Atlas;-1.023,95
`;

/** A CSV whose columns no one can guess. */
export const UNGUESSED_CSV = `Was|Wann|Wieviel
Corner Coffee|third of September|four
Salary|fourth of September|lots
`;

/** Uploads an OFX file for an account that is linked live: two rows that its feed has, and one that it lacks. */
export async function overlappingFile(owner: TestOwner, account: string): Promise<Json> {
  const { data } = (await owner.v2('GET', `/v2/transactions?account=${account}&limit=20`)).body;
  const live = data.filter((row: Json) => row.status === 'posted' && row.date !== null).slice(0, 2);
  assert.equal(live.length, 2);
  const rows: readonly TestRow[] = [
    ...live.map((row: Json, at: number) => ({
      date: row.date,
      amount: (row.amount.amount / 100).toFixed(2),
      description: `As the file calls it ${at + 1}`,
      reference: `live-${at}`,
    })),
    { date: live[1].date, amount: '-17.03', description: 'Cash at the market', reference: 'own' },
  ];
  return upload(owner, 'overlap.ofx', ofxOf(rows), { account });
}

/** Drops files on the page, as someone does with the pointer. */
export async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      for (const { name, text } of ${JSON.stringify(files)}) transfer.items.add(new File([text], name));
      return transfer;
    })()`,
  );
  const main = page.locator('main');
  for (const type of ['dragover', 'drop']) await main.dispatchEvent(type, { dataTransfer: transfer });
}
