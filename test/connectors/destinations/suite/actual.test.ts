import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { ACTUAL } from './actual-member.ts';
import { describeFaults } from './faults.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);

describeStreams(ACTUAL);
describeFaults(ACTUAL);
describeVerification(ACTUAL);
