import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { AIRTABLE } from './airtable-member.ts';
import { describeFaults } from './faults.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);

describeStreams(AIRTABLE);
describeFaults(AIRTABLE);
describeVerification(AIRTABLE);
