#!/usr/bin/env node
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Tributary needs Node 24 or newer and this is Node ${process.versions.node}. ` +
      'Inside the checkout, after npm ci, run: npx tributary (it brings the right Node along).\n',
  );
  process.exit(1);
}
await import('../src/main.ts');
