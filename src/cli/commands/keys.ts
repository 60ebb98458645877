import { Type } from 'typebox';
import { command } from '../command.ts';

/** How long one call re-seals values inside a server: a shell asks again and shows the progress. */
const SLICE_MS = 500;

const KeyUse = Type.Object({
  primary: Type.String(),
  older: Type.Array(Type.Object({ id: Type.String(), values: Type.Integer() })),
  left: Type.Integer(),
  sealed: Type.Integer(),
  in_file: Type.Boolean(),
});

/** `keys rotate-encryption`: one slice of it. `retire` drops the older keys from the key file instead. */
export const keysRotateEncryption = command({
  name: 'keys rotate-encryption',
  args: Type.Object({ retire: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  result: KeyUse,
  run: async ({ app, url }, { retire = false }) => {
    const { encryptionRotation: rotation, config } = app;
    const inFile = config.encryptionKey === undefined;
    if (retire) return { ...shown(await rotation.retire()), sealed: 0, in_file: inFile };
    await rotation.begin();
    const sealed = await rotation.sealAnew(
      url === null ? Number.POSITIVE_INFINITY : performance.now() + SLICE_MS,
    );
    return { ...shown(await rotation.use()), sealed, in_file: inFile };
  },
  again: ({ left, sealed }) => (left > 0 && sealed > 0 ? `${left} values left to re-encrypt` : null),
  show: ({ primary, older, left, in_file: inFile }) => {
    const ids = older.map(({ id }) => `"${id}"`).join(', ');
    if (left > 0) {
      return `${left} values stay sealed under an older key: no configured key opens them. Run tributary doctor.`;
    }
    if (older.length === 0) return `Everything is sealed under key "${primary}", and no older key is left.`;
    return (
      `Everything is sealed under key "${primary}". The older key can be removed (${ids}): ` +
      (inFile
        ? 'run tributary keys rotate-encryption --retire'
        : 'keep only the first key in ENCRYPTION_KEY and restart every process') +
      '. Keep it with the backups that were made under it.'
    );
  },
});

function shown({
  primary,
  older,
  left,
}: {
  primary: string;
  older: readonly { id: string; values: number }[];
  left: number;
}) {
  return { primary, older: older.map(({ id, values }) => ({ id, values })), left };
}
