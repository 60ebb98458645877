import { UnreachableError } from '#client';
import { appUrl } from './app-url.ts';

const RELOADED = 'reloaded-for ';

/** A script of the application that the service does not have. */
export class ScriptMissing extends Error {}

/**
 * Loads a script of the application, by an `import()`. After a new release the files of the old one are gone; the
 * document is then reloaded, at most once for each name, and the promise stays open. Raises UnreachableError if the
 * service does not answer, and ScriptMissing.
 */
export async function loadScript<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    const script = await load().catch(async (error: unknown) => {
      if (!(await serviceAnswers())) throw new UnreachableError('No script', { cause: error });
      return load();
    });
    store((storage) => storage.removeItem(RELOADED + name));
    return script;
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    const first = store((storage) => {
      if (storage.getItem(RELOADED + name) !== null) return false;
      storage.setItem(RELOADED + name, 'yes');
      return true;
    });
    if (!first) throw new ScriptMissing(name, { cause: error });
    location.reload();
    return new Promise(() => undefined);
  }
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Attempts something when the device is online again, and meanwhile after 2, 4, 8 … seconds, at most once a minute,
 * while the page is visible: a network can be there without reaching the service. Ends when an attempt succeeds, or by
 * what is returned.
 */
export function whenReachable(attempt: () => Promise<unknown>): () => void {
  let wait = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();
  const { signal } = ended;
  const later = () => {
    if (signal.aborted) return;
    timer = setTimeout(now, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  };
  const now = () => {
    clearTimeout(timer);
    if (document.hidden) later();
    else attempt().then(() => ended.abort(), later);
  };
  addEventListener('online', now, { signal });
  later();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}

async function serviceAnswers(): Promise<boolean> {
  const answer = await fetch(appUrl(''), { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

/** Null if the browser's storage is disabled. */
function store<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
