import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/**
 * Where Debian's packages install it, the headless one first: it takes two thirds of the time. `CHROMIUM` names
 * another.
 */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** A busy machine takes many times as long as an idle one. */
const ACTION_MS = 60_000;
/** Files in one process follow each other sooner, once the next has its service. */
const UNUSED_MS = 5_000;

export const PHONE = { width: 390, height: 844 } as const;
const DESK = { width: 1280, height: 800 } as const;

/**
 * By how many milliseconds at most the answers of v2 are delayed in the browser, each by a different time. `npm run
 * browser` with 500 finds tests that do not wait for what they need.
 */
const LATE_MS = Number(process.env.BROWSER_LATE_MS ?? 0);

let users = 0;
let shared: Promise<Browser> | null = null;

/**
 * A headless browser. Test files of one process share it: closing it ends their pages, and the last that closes it ends
 * the browser unless another opens it soon. Raises an Error that says what to install if there is none.
 */
export async function openChromium(): Promise<Browser> {
  users += 1;
  shared ??= launched();
  return shared;
}

async function launched(): Promise<Browser> {
  const browser = await launch();
  const end = browser.close.bind(browser);
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    users -= 1;
    setTimeout(() => {
      if (users > 0 || shared === null) return;
      shared = null;
      void end();
    }, UNUSED_MS);
  };
  return browser;
}

async function launch(): Promise<Browser> {
  for (const executablePath of PLACES.filter((path) => path !== undefined)) {
    const found = await access(executablePath).then(
      () => true,
      () => false,
    );
    if (found) return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  }
  throw new Error(
    'No Chromium was found. Install the package chromium-headless-shell or chromium, or name its program in CHROMIUM.',
  );
}

interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What pages have logged to the console, or thrown, since the visit began. */
  readonly complaints: readonly string[];
}

/** Someone new, without cookies. Pages that take longer than a minute for anything fail the test. */
export async function newVisitor(
  browser: Browser,
  options: {
    readonly script?: boolean;
    readonly phone?: boolean;
    readonly scheme?: BrowserContextOptions['colorScheme'];
    /** With the service worker, past which tests cannot answer requests themselves. */
    readonly worker?: boolean;
    /** IANA name of the zone of the browser. */
    readonly zone?: string;
  } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    javaScriptEnabled: options.script ?? true,
    colorScheme: options.scheme ?? 'light',
    viewport: options.phone === true ? PHONE : DESK,
    ...(options.zone !== undefined && { timezoneId: options.zone }),
    serviceWorkers: options.worker === true ? 'allow' : 'block',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_MS);
  if (LATE_MS > 0) await delayAnswers(context);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (message.text().startsWith('Service Worker registration blocked')) return;
    // Every browser asks for it; nothing is missing without it.
    if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, context, complaints };
}

async function delayAnswers(context: BrowserContext): Promise<void> {
  // Routes of a context are tried after those of its page, with which tests answer requests themselves.
  await context.route('**/v2/**', async (route) => {
    await sleep(Math.random() * LATE_MS);
    // The page may be gone by then.
    await route.continue().catch(() => undefined);
  });
}
