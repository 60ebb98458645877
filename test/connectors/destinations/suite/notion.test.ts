import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { describeFaults } from './faults.ts';
import { NOTION } from './notion-member.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);

describeStreams(NOTION);
describeFaults(NOTION);
describeVerification(NOTION);
