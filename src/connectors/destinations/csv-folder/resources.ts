import { access, constants } from 'node:fs/promises';
import type {
  DestinationResource,
  ResourceQuery,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { targetProblem } from '../kit/failures.ts';
import { type FolderClient, isFolderName } from './client.ts';
import { UnusableFile } from './failures.ts';

/** Folders of the account record. */
export async function listFolders(
  client: FolderClient,
  owner: string,
  { limit }: ResourceQuery,
): Promise<readonly DestinationResource[]> {
  const names = await client.folders(await client.ofOwner(owner));
  return names.slice(0, limit).map((name) => ({ id: name, name, url: null }));
}

/** Whether there is such a folder and it may be written to. */
export async function checkFolder(
  client: FolderClient,
  owner: string,
  { target: { folder: name = '' } }: TargetQuestion,
): Promise<TargetProblem | null> {
  const problem = (message: string) => targetProblem('folder', message);
  const parent = await client.ofOwner(owner);
  if (!isFolderName(name)) return problem('This is no name of a folder: choose one that is listed.');
  try {
    const folder = await client.inside(parent, name);
    if (folder === null) return problem('There is no such folder: choose one that is listed, or make one.');
    const mayWrite = await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    return mayWrite ? null : problem('This service may not write to the folder: ask its operator.');
  } catch (error) {
    if (error instanceof UnusableFile) return problem(error.message);
    throw error;
  }
}
