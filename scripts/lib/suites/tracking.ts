import asyncHooks, { type AsyncHook } from 'node:async_hooks';

/**
 * The test runner follows every promise of the process with an async hook, to find the test in whose body another is
 * declared, and the test to which an uncaught error belongs. Bodies of suites need that. While tests run, it costs a
 * sixth of their processor time, and an uncaught error fails the run anyway, under the name of its process. So the hook
 * is captured here while the runner is loaded, and paused while tests run.
 */
const hooks: AsyncHook[] = [];

const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  hooks.push(hook);
  return hook;
};

/** Before suites are declared. */
export function followPromises(): void {
  // The runner has its hook by now; those that tests make are theirs.
  asyncHooks.createHook = createHook;
  for (const hook of hooks) hook.enable();
}

/** Once they are. */
export function leavePromisesAlone(): void {
  for (const hook of hooks) hook.disable();
}
