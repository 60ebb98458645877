import { registerHooks } from 'node:module';

/** A program: starts the service with the settings in its argument, asks it something, and prints what it loaded. */
const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
const { startService } = await import('./service.ts');
const service = await startService(JSON.parse(process.argv[2] ?? '{}'));
const owner = await service.owner();
await owner.v2('GET', '/v2/me');
await service.close();
process.stdout.write(JSON.stringify(loaded));
