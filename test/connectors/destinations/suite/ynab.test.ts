import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { describeFaults } from './faults.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';
import { YNAB } from './ynab-member.ts';

after(closeDatabase);

describeStreams(YNAB);
describeFaults(YNAB);
describeVerification(YNAB);
