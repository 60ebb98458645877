import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ReachedSimulator, SimulatorPorts } from '../../sandbox/shared/simulator.ts';

import type { Config } from '../platform/config.ts';

const RECORD = Type.Object({
  v: Type.Literal(1),
  public_url: Type.String(),
  simulators: Type.Record(
    Type.String(),
    Type.Object({
      url: Type.String(),
      control_url: Type.String(),
      settings: Type.Record(Type.String(), Type.String()),
      secret: Type.Optional(Type.String()),
    }),
  ),
});

/** The addresses of a data directory's simulators, for processes that do not serve them. */
export interface SandboxRecord {
  /** `PUBLIC_URL` of the process that serves them: their pages send browsers there. */
  readonly publicUrl: string;
  readonly simulators: ReadonlyMap<string, ReachedSimulator>;
}

/** `DATA_DIR/sandbox/simulators.json`. */
export function recordFile({ dataDir }: Config): string {
  return join(dataDir, 'sandbox', 'simulators.json');
}

/** What the process that serves the simulators wrote, in this run or an earlier one; null if nothing. */
export async function readSandboxRecord(config: Config): Promise<SandboxRecord | null> {
  const text = await textOf(recordFile(config));
  const stored: unknown = text === null ? null : JSON.parse(text);
  if (!Value.Check(RECORD, stored)) return null;
  const simulators = Object.entries(stored.simulators).map(
    ([name, { url, control_url: controlUrl, settings, secret }]) =>
      [name, { url, controlUrl, settings, ...(secret === undefined ? {} : { secret }) }] as const,
  );
  return { publicUrl: stored.public_url, simulators: new Map(simulators) };
}

/** Replaces the record atomically. Only the owner of the directory can read it. */
export async function writeSandboxRecord(
  config: Config,
  simulators: ReadonlyMap<string, ReachedSimulator>,
): Promise<void> {
  const entries = [...simulators].map(
    ([name, { url, controlUrl, settings, secret }]) =>
      [
        name,
        {
          url,
          control_url: controlUrl,
          settings: { ...settings },
          ...(secret === undefined ? {} : { secret }),
        },
      ] as const,
  );
  const record: Static<typeof RECORD> = {
    v: 1,
    public_url: config.publicUrl,
    simulators: Object.fromEntries(entries),
  };
  const file = recordFile(config);
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** The ports that a simulator used. */
export function portsOf({ url, controlUrl, secret }: ReachedSimulator): SimulatorPorts {
  const database = secret?.startsWith('postgres:') === true ? portIn(secret) : undefined;
  return { vendor: portIn(url), control: portIn(controlUrl), database };
}

/** Identifies the simulators of a data directory on one machine: no other machine can reach them. */
export async function sandboxPlace({ dataDir }: Config): Promise<string> {
  const file = join(dataDir, 'sandbox', 'id');
  await writeFile(file, randomUUID(), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return `${(await readFile(file, 'utf8')).trim()}@${hostname()}`;
}

function portIn(address: string): number {
  return Number(new URL(address).port);
}

function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
