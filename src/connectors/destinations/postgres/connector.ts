import type { DestinationAccess, DestinationConnector } from '../destination-contract.ts';
import { type Session, Sessions, type SessionsOptions } from './client.ts';
import { createTable } from './creation.ts';
import { asDestinationFailure, asUpstreamFailure, meaningOf } from './failures.ts';
import { checkTable, listResources } from './resources.ts';
import { type Credentials, credentialsOf, grantOf, parseSecret } from './secret.ts';
import { makingTables } from './table.ts';
import { PostgresWriter } from './writer.ts';

const CHUNK_ROWS = 1000;
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Problems with the secret, and not with the server. */
const REFUSALS: ReadonlySet<string> = new Set(['grant_rejected', 'bad_request']);

/** The owner's own Postgres database (docs/destination-services.md#postgres). */
export function postgresConnector(options: SessionsOptions): DestinationConnector {
  const sessions = new Sessions(options);
  return {
    type: 'postgres',
    afterUnknown: 'resend',
    chunkRows: CHUNK_ROWS,
    chunkBytes: CHUNK_BYTES,
    signIn: {
      check: async (owner, secret, signal) => {
        const credentials = parseSecret(secret);
        if ('problem' in credentials) return { kind: 'refused', message: credentials.problem };
        try {
          await (await sessions.open(owner, credentials, signal)).close();
        } catch (error) {
          signal.throwIfAborted();
          const { situation, message } = meaningOf(error);
          if (REFUSALS.has(situation)) return { kind: 'refused', message };
          throw asUpstreamFailure(error, signal);
        }
        return {
          kind: 'accepted',
          grant: grantOf(secret),
          name: `${credentials.database} on ${credentials.host}`,
        };
      },
    },
    resources: {
      list: async (access, query, signal) => {
        try {
          return await within(sessions, access, signal, (session) =>
            session.transaction(signal, () => listResources(session, query, signal), { readOnly: true }),
          );
        } catch (error) {
          throw asUpstreamFailure(error, signal);
        }
      },
    },
    checkTarget: async (access, question, signal) => {
      try {
        return await within(sessions, access, signal, (session) =>
          session.transaction(signal, () => checkTable(session, question, signal)),
        );
      } catch (error) {
        throw asUpstreamFailure(error, signal);
      }
    },
    create: async (access, request, signal) => {
      let isInDoubt = false;
      const committing = (): void => {
        isInDoubt = true;
      };
      try {
        return await within(sessions, access, signal, (session) =>
          makingTables(session, signal, () => createTable(session, request, signal), { committing }),
        );
      } catch (error) {
        throw asDestinationFailure(error, isInDoubt ? 'unknown' : 'refused', signal);
      }
    },
    open: async (opening) => new PostgresWriter(sessions, opening),
  };
}

async function within<T>(
  sessions: Sessions,
  access: DestinationAccess,
  signal: AbortSignal,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const credentials: Credentials = credentialsOf(await access.current());
  const session = await sessions.open(access.owner, credentials, signal);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
