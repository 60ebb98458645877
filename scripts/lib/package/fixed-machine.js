import { createRequire, syncBuiltinESMExports } from 'node:module';

// Loaded before `initdb`: a clock that shows one moment and random bytes that are all the same, so that the same program
// makes the same archive of an empty database. Each copy of it gets an identity of its own.
const NOW = Date.UTC(2026, 0, 1);
Date.now = () => NOW;
performance.now = () => 0;

function fill(bytes) {
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(1);
  return bytes;
}

const crypto = createRequire(import.meta.url)('node:crypto');
globalThis.crypto.getRandomValues = fill;
crypto.webcrypto.getRandomValues = fill;
crypto.randomFillSync = fill;
syncBuiltinESMExports();
