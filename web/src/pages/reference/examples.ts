import { curlExample } from './curl-example.ts';
import { pythonExample } from './python-example.ts';
import type { SampleRequest } from './sample-request.ts';
import { typescriptExample } from './typescript-example.ts';

/** The languages in which each operation has an example, and how one is written. */
export const EXAMPLES = {
  curl: { name: 'curl', write: curlExample },
  typescript: { name: 'TypeScript', write: typescriptExample },
  python: { name: 'Python', write: pythonExample },
} as const satisfies Record<string, { name: string; write: (request: SampleRequest) => string }>;

export type Language = keyof typeof EXAMPLES;
