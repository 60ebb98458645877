import { errors, type Locator, type Page } from 'playwright-core';
import { changeAnswers } from './changed-answers.ts';

/** A visible button is pressed within that; one that the page has just removed is waited for again. */
const PRESSED_MS = 5_000;
const ATTEMPTS = 12;

interface Refusals {
  /**
   * Presses the button and lets requests through from then on. Until it is pressed they wait: what a page reads again
   * on its own must not be answered then. But while the page waits for such an answer the button may be gone, so if it
   * cannot be pressed the waiting requests are refused as well, and the button comes back.
   */
  passAfter(button: Locator): Promise<void>;
}

/** Refuses every request of the page to the address, with this answer or with none. */
export async function refuse(
  page: Page,
  url: string,
  answer: { readonly status: number; readonly json: unknown } | null,
): Promise<Refusals> {
  /** Whether they may pass. */
  let passing = Promise.resolve(false);
  await page.route(url, async (route) => {
    if (await passing) return route.continue();
    return answer === null ? route.abort() : route.fulfill(answer);
  });
  return {
    passAfter: async (button) => {
      for (let attempt = 1; ; attempt++) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        passing = promise;
        try {
          await button.click({ timeout: PRESSED_MS });
          return resolve(true);
        } catch (error) {
          resolve(false);
          if (!(error instanceof errors.TimeoutError) || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}

/** Has the rows of one account missing from what the page reads of several, as if its bank did not answer. */
export async function refuseAccount(page: Page, account: string): Promise<void> {
  await changeAnswers(page, '**/v2/transactions/export?**', (body) => {
    const lines = body.split('\n').flatMap((text) => {
      if (!text.includes(account)) return [text];
      const line: unknown = JSON.parse(text);
      if (typeof line !== 'object' || line === null || !('error' in line)) return [];
      const error = { type: 'upstream_error', code: 'upstream_unavailable', message: 'Refused.' };
      return [JSON.stringify({ ...line, error: { ...error, retry_after_seconds: null } })];
    });
    return lines.join('\n');
  });
}
