import type { SimulatedPerson } from '../shared/people.ts';
import type { PreparedSimulator } from '../shared/simulator.ts';
import type { BankDataset } from './dataset/bank-dataset.ts';
import { readBankData } from './dataset/read-file.ts';
import { SANDBOX_INSTITUTION_NAME } from './institutions.ts';
import { startAuBankingSimulator } from './server.ts';

const CLIENT_ID = 'sandbox-client';
const CLIENT_SECRET = 'sandbox-secret';
const WEBHOOK_SECRET = Buffer.from('sandbox-webhook-secret').toString('base64');

/**
 * The simulator with the banks of a data file, where one is given.
 * @throws Error whose message says what is wrong with the file
 */
export async function prepareAuBanking(dataFile: string | null): Promise<PreparedSimulator> {
  const dataset = dataFile === null ? undefined : await readBankData(dataFile);
  return {
    demoPeople: (rows) => demoPeople(rows, dataset),
    start: async (place) => {
      const { clock, pagesUrl, stateFile, ports, webhooks } = place;
      const simulator = await startAuBankingSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
        dataset,
        ...(webhooks && { webhooks: { ...webhooks, secret: WEBHOOK_SECRET } }),
      });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          FISKIL_BASE_URL: url,
          FISKIL_CLIENT_ID: CLIENT_ID,
          FISKIL_CLIENT_SECRET: CLIENT_SECRET,
          FISKIL_WEBHOOK_SECRET: WEBHOOK_SECRET,
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}

function demoPeople(rows: number | null, dataset: BankDataset | undefined): readonly SimulatedPerson[] {
  if (rows !== null) return [{ bank: SANDBOX_INSTITUTION_NAME, customer: `rows:${rows}` }];
  if (dataset === undefined) return [{ bank: SANDBOX_INSTITUTION_NAME, customer: 'salaried-household' }];
  return dataset.holders.flatMap((holder) =>
    holder.customers
      .filter(({ accounts }) => accounts.length > 0)
      .map(({ customer }) => ({ bank: holder.name, customer })),
  );
}
