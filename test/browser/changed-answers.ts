import type { Page } from 'playwright-core';

/** Has the page read answers of the service from the address with bodies rewritten by `change`. */
export async function changeAnswers(
  page: Page,
  url: string,
  change: (body: string) => string,
): Promise<void> {
  await page.route(url, async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    } catch (error) {
      // A page that has been left does not wait for what it asked for, and its requests can no longer be answered.
      if (!page.isClosed() && !/is already handled|has been disposed|been closed/.test(String(error)))
        throw error;
    }
  });
}
