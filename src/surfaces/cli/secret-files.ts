import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';

/** The number of its descriptor: what a process of another user has opened cannot be opened by its name. */
const STANDARD_INPUT = 0;

/** Its argument is the content of the file: other users of the machine can see the arguments of a process. */
export function passphraseFile(): Option {
  return new Option(
    '--passphrase-file <file>',
    'a file with the passphrase (BACKUP_PASSPHRASE by default)',
  ).argParser((file: string) => textOf(file).trim());
}

/** Its argument is the content of the file, or of standard input. */
export function keyFile(): Option {
  return new Option(
    '--key-file <file>',
    'a copy of the key file, which opens the backup and is then put into DATA_DIR; - reads standard input',
  ).argParser((file: string) => textOf(file === '-' ? STANDARD_INPUT : file));
}

function textOf(file: string | number): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
