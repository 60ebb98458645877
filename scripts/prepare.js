// Plain JavaScript that old versions of Node can read, as `npm ci --omit=dev` runs it with the Node of the machine: one that
// is too old builds nothing, and bin/tributary.js says which is needed. `--if-missing` builds what is not there yet.
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  await import('./build-web.ts');
  if (!process.argv.includes('--if-missing')) await import('./build-database.ts');
} else {
  process.stderr.write(
    `Nothing is built: that needs Node ${NEEDED}, and this is ${process.versions.node}.\n`,
  );
}
