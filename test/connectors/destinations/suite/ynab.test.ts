import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { describeFaults } from './faults.ts';
import { describeStreams } from './streams.ts';
import { YNAB } from './ynab-member.ts';

after(closeDatabase);

describeStreams(YNAB);
describeFaults(YNAB);
