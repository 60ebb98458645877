/** Runs modules in the order of its arguments, each once the one before has ended, and sends what came of them. */
import type { ExampleRun, FilledExample } from './example-run.ts';

process.on(
  'message',
  async (examples: readonly (Pick<FilledExample, 'id' | 'endless'> & { url: string })[]) => {
    for (const { id, url, endless } of examples) {
      const begun = Promise.withResolvers<void>();
      let printed = '';
      process.stdout.write = (chunk: string | Uint8Array) => {
        printed += String(chunk);
        begun.resolve();
        return true;
      };
      const problem = await Promise.race([import(url), ...(endless ? [begun.promise] : [])]).then(
        () => null,
        (error: unknown) => String(error),
      );
      process.send?.({ id, printed, status: null, problem } satisfies ExampleRun);
    }
    process.disconnect();
    process.exit();
  },
);
