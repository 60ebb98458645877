import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { describeFaults } from './faults.ts';
import { PAPERCLIP } from './paperclip-member.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);

describeStreams(PAPERCLIP);
describeFaults(PAPERCLIP);
describeVerification(PAPERCLIP);
