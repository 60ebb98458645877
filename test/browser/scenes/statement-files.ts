import { ofxOf, STATEMENT, upload, uploadAndTake } from '../../features/documents/statements.ts';
import { linkedOwner } from '../lives.ts';
import { GERMAN_CSV, overlappingFile, UNGUESSED_CSV } from '../statement-lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

const ROUTE = '/connections/files';
/** Enough of them that the column of dates is still found. */
const MORE_ROWS = Array.from({ length: 9 }, (_, at) => `1${at}/09/2026;Tram;;-2,${at}0\n`).join('');
const fileAt = (id: string) => `${ROUTE}?file=${id}`;

export const STATEMENT_FILES_SCENES: Scenes = {
  'statement-files-empty': sceneAt(ROUTE, async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No statement file yet').waitFor(),
  })),
  'statement-files': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { account } = await uploadAndTake(owner, 'september.ofx', ofxOf(STATEMENT));
    await uploadAndTake(
      owner,
      'October 2026.ofx',
      ofxOf([{ date: '2026-10-03', amount: '-12.00', description: 'Book shop', reference: 'b1' }]),
    );
    const { id } = await uploadAndTake(owner, 'twice.csv', GERMAN_CSV);
    await owner.v2('POST', `/v2/documents/${id}/undo`);
    await upload(owner, 'umsaetze.csv', `${GERMAN_CSV}06/09/2026;Tea;;-3,00\n`);
    return {
      owner,
      path: `${ROUTE}?account=${account}`,
      whole: true,
      ready: async (page) => {
        await page.getByText('Taken out', { exact: true }).waitFor();
        await page.locator('input[type="file"]').setInputFiles([
          { name: 'everything.csv', mimeType: 'text/csv', buffer: Buffer.alloc(12_000_000, 'a') },
          { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html></html>') },
        ]);
        await page.getByRole('alert').waitFor();
      },
    };
  }),
  'statement-file-csv': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { id } = await upload(owner, 'umsaetze.csv', GERMAN_CSV);
    return {
      owner,
      path: fileAt(id),
      whole: true,
      ready: (page) => page.getByRole('button', { name: 'Take 3 new rows' }).waitFor(),
    };
  }),
  'statement-file-unnamed': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { id } = await upload(owner, 'strange.csv', UNGUESSED_CSV);
    return {
      owner,
      path: fileAt(id),
      whole: true,
      ready: (page) => page.getByText(/^Still to be chosen/).waitFor(),
    };
  }),
  'statement-file-unreadable': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { id } = await upload(
      owner,
      'damaged.csv',
      `${GERMAN_CSV}${MORE_ROWS}soon;Tea;;-3,00\n31/13/2026;Bread;;-2,00\n`,
    );
    return {
      owner,
      path: fileAt(id),
      whole: true,
      ready: (page) => page.getByText('2 rows cannot be read').waitFor(),
    };
  }),
  'statement-file-live': sceneAt(ROUTE, async (service) => {
    const owner = await linkedOwner(service);
    const { id } = await overlappingFile(owner, owner.connection.accounts[0].id);
    return {
      owner,
      path: fileAt(id),
      whole: true,
      ready: (page) => page.getByRole('button', { name: 'Take 1 new row' }).waitFor(),
    };
  }),
  'statement-file-taken': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { id } = await uploadAndTake(owner, 'september.ofx', ofxOf(STATEMENT));
    return {
      owner,
      path: fileAt(id),
      ready: (page) => page.getByText('Not yet by every sync of its account').waitFor(),
    };
  }),
  'statement-file-delete': sceneAt(ROUTE, async (service) => {
    const owner = await service.owner();
    const { id } = await uploadAndTake(owner, 'september.ofx', ofxOf(STATEMENT));
    return {
      owner,
      path: fileAt(id),
      ready: async (page) => {
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText('The file is deleted at once.').waitFor();
      },
    };
  }),
  'statement-file-missing': sceneAt(ROUTE, async (service) => ({
    owner: await service.owner(),
    path: fileAt('doc_nothing'),
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
  'account-of-files': sceneAt('/accounts/:id', async (service) => {
    const owner = await service.owner();
    const { account } = await uploadAndTake(owner, 'september.ofx', ofxOf(STATEMENT));
    return {
      owner,
      path: `/accounts/${account}`,
      ready: (page) => page.getByText('Salary').waitFor(),
    };
  }),
};
