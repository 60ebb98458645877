import { PGlite } from '@electric-sql/pglite';

/**
 * PGlite starts Postgres with `-F`, which leaves writing to the operating system: a killed process loses nothing, but
 * a power cut may lose what was acknowledged. Here an acknowledged write is on the disk.
 */
const WITHOUT_FSYNC = '-F';
/**
 * Postgres keeps pages it has seen up to this size and never gives them back. Its own 128 MB are meant for a machine
 * that does nothing else; the file system keeps the rest.
 */
const SHARED_BUFFERS = '24MB';
/**
 * What a checkpoint keeps of the write-ahead log, to write over: two files of 16 MB. No process makes checkpoints here;
 * storage/upkeep.ts does.
 */
const LOG_SIZE = '32MB';

/** What Postgres is started with. */
export const START_PARAMS: readonly string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== WITHOUT_FSYNC),
  '-c',
  `shared_buffers=${SHARED_BUFFERS}`,
  '-c',
  `min_wal_size=${LOG_SIZE}`,
  '-c',
  `max_wal_size=${LOG_SIZE}`,
];
