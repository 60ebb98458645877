import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { generatedClient } from './lib/client/generated-client.ts';

/** Writes the generated part of the TypeScript client from the operation table (docs/decisions/0034-typescript-client.md). */
const folder = new URL('../packages/client/src/generated/', import.meta.url);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of generatedClient()) writeFileSync(new URL(name, folder), text);
