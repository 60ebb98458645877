import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { CSV_FOLDER, CSV_FOLDER_IN_BULK } from './csv-folder-member.ts';
import { describeFaults } from './faults.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);

describeStreams(CSV_FOLDER_IN_BULK);
describeFaults(CSV_FOLDER);
describeVerification(CSV_FOLDER);
