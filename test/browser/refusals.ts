import type { Page } from 'playwright-core';

interface Refusals {
  /**
   * Lets requests through as soon as `press` is done. Until then they wait: what a page reads again by itself must not
   * take away the button that is about to be pressed.
   */
  passAfter(press: () => Promise<void>): Promise<void>;
}

/** Refuses every request of the page to the address, with this answer or with none. */
export async function refuse(
  page: Page,
  url: string,
  answer: { readonly status: number; readonly json: unknown } | null,
): Promise<Refusals> {
  let held: Promise<void> | null = null;
  await page.route(url, async (route) => {
    if (held === null) return answer === null ? route.abort() : route.fulfill(answer);
    await held;
    await route.continue();
  });
  return {
    passAfter: async (press) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      await press();
      resolve();
    },
  };
}
