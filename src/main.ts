import { main } from './app/command-line.ts';

// Someone who reads only the first lines closes the pipe; that is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await main(process.argv.slice(2), process.env);
