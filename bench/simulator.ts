import { startAuBankingSimulator } from '../sandbox/au-banking/server.ts';
import { say, settingsOf } from './lib/child.ts';

settingsOf();

/** The bank in a separate process. */
const { url, controlUrl } = await startAuBankingSimulator({
  clientId: 'bench',
  clientSecret: 'bench',
  firstSyncDelayMs: 0,
});
say({ url, controlUrl });
