import type { Page, Request } from 'playwright-core';

/** The number of frames without a request after which a page counts as settled. */
const QUIET_FRAMES = 4;
const FRAME = 'new Promise((done) => requestAnimationFrame(done))';
/** The stream of events has no end, so it is neither held nor waited for. */
const ENDS = /\/v2\/(?!events\/stream)/;

export interface HeldAnswers {
  /** From now on every request to v2 waits. */
  hold(): void;
  /** Lets everything through. */
  release(): void;
  /** Lets through one request at a time, the latest first, and waits until the page has drawn its answer. */
  releaseInTurn(): Promise<void>;
  /** Waits until the page has what it asked for, and draws it. */
  quiet(): Promise<void>;
}

/** Takes hold of what a page asks of v2. */
export async function holdAnswers(page: Page): Promise<HeldAnswers> {
  let holding = false;
  const waiting: (() => void)[] = [];
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (ENDS.test(request.url())) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  await page.route(ENDS, async (route) => {
    if (holding) await new Promise<void>((pass) => void waiting.push(pass));
    // The page may be gone by then.
    await route.continue().catch(() => undefined);
  });
  const settled = async (left: () => number) => {
    for (let quiet = 0; quiet < QUIET_FRAMES; ) {
      await page.evaluate(FRAME);
      quiet = asked.size <= left() ? quiet + 1 : 0;
    }
  };
  const release = () => {
    holding = false;
    for (const pass of waiting.splice(0)) pass();
  };
  return {
    hold: () => {
      holding = true;
    },
    release,
    releaseInTurn: async () => {
      for (;;) {
        await settled(() => waiting.length);
        const pass = waiting.pop();
        if (pass === undefined) break;
        pass();
      }
      release();
    },
    quiet: () => settled(() => 0),
  };
}
