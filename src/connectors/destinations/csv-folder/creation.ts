import type { CreatedTarget, CreationRequest } from '../destination-contract.ts';
import { type FolderClient, isFolderName } from './client.ts';
import { OWN_FOLDER } from './writer.ts';

const KEY_FILE = 'made-as';
const STANDARD_NAME = 'Tributary';
const NAME_CHARACTERS = 40;

/**
 * Creates a folder with the given name, or a similar one if that is taken. It is created under a hidden name with its
 * key in it, and renamed last: an attempt that finds the key finds a complete folder.
 */
export async function makeFolder(
  client: FolderClient,
  owner: string,
  { key, again, name, target }: CreationRequest,
): Promise<CreatedTarget> {
  if (target !== null) return { target, mappings: [] };
  const parent = await client.ofOwner(owner);
  if (again) {
    const made = await madeAs(client, parent, key);
    if (made !== null) return { target: { folder: made }, mappings: [] };
  }
  const hidden = `.new-${key}`;
  const own = await client.made(await client.made(parent, hidden), OWN_FOLDER);
  await client.replace(own, KEY_FILE, key);
  const wished = nameFrom(name);
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wished : `${wished} ${number}`;
    if (await client.moved(parent, hidden, folder)) return { target: { folder }, mappings: [] };
  }
}

async function madeAs(client: FolderClient, parent: string, key: string): Promise<string | null> {
  for (const name of await client.folders(parent)) {
    const own = await client.inside(`${parent}/${name}`, OWN_FOLDER);
    if (own !== null && (await client.text(own, KEY_FILE)) === key) return name;
  }
  return null;
}

/** The part of the name that a folder may have. */
function nameFrom(name: string): string {
  const kept = [
    ...name
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
      .replaceAll(/ +/g, ' '),
  ]
    .slice(0, NAME_CHARACTERS)
    .join('')
    .replaceAll(/^[^\p{L}\p{N}]+|[ ]+$/gu, '');
  return isFolderName(kept) ? kept : STANDARD_NAME;
}
