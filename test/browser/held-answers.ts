import type { Page, Request } from 'playwright-core';

/** The number of frames without a request after which a page counts as settled. */
const QUIET_FRAMES = 4;
const FRAME = 'new Promise((done) => requestAnimationFrame(done))';

export interface HeldAnswers {
  /** From now on every request to v2 waits. */
  hold(): void;
  /** Lets everything through. */
  release(): void;
  /** Waits until the page has what it asked for, and draws it. */
  quiet(): Promise<void>;
}

/** Takes hold of what a page asks of v2. */
export async function holdAnswers(page: Page): Promise<HeldAnswers> {
  let passing = Promise.withResolvers<void>();
  passing.resolve();
  const asked = new Set<Request>();
  page.on('request', (request) => {
    // The stream of events has no end.
    if (/\/v2\/(?!events\/stream)/.test(request.url())) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  await page.route('**/v2/**', async (route) => {
    await passing.promise;
    // The page may be gone by then.
    await route.continue().catch(() => undefined);
  });
  return {
    hold: () => {
      passing = Promise.withResolvers();
    },
    release: () => passing.resolve(),
    quiet: async () => {
      for (let quiet = 0; quiet < QUIET_FRAMES; ) {
        await page.evaluate(FRAME);
        quiet = asked.size === 0 ? quiet + 1 : 0;
      }
    },
  };
}
