import { packBackup } from './backup-file.ts';

/**
 * Runs as a process of its own (backups.ts): compressing and encrypting takes as long as the database is large. The
 * passphrase comes as a message, since other users of the machine can see the arguments of a process.
 */
const [, , folder, file] = process.argv;
if (folder === undefined || file === undefined) throw new Error('Name the folder and the file.');
process.once('message', (passphrase) => {
  packBackup(folder, file, String(passphrase)).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.stderr.write(error instanceof Error ? error.message : String(error));
      process.exit(1);
    },
  );
});
process.send?.('ready');
