import { after } from 'node:test';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { closeServer } from '../postgres/scene.ts';
import { describeFaults } from './faults.ts';
import { POSTGRES, POSTGRES_IN_BULK } from './postgres-member.ts';
import { describeStreams } from './streams.ts';
import { describeVerification } from './verification.ts';

after(closeDatabase);
after(closeServer);

describeStreams(POSTGRES_IN_BULK);
describeFaults(POSTGRES);
describeVerification(POSTGRES);
