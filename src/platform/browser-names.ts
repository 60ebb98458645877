import Bowser from 'bowser';

/** Browsers send about 150 characters; anyone who sends more names nothing that people know. */
const MOST_CHARACTERS = 512;

/**
 * What people call the browser of a `User-Agent` header: `Firefox on Windows`. Null where the header names none that is
 * known. Nothing else of the header is taken over, so the name is never a text that a stranger wrote.
 */
export function browserName(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MOST_CHARACTERS) return null;
  const { browser, os } = Bowser.parse(userAgent);
  // Of what it does not know, the library repeats the first word.
  const name = knownIn(Bowser.BROWSER_MAP, browser.name);
  if (name === null) return null;
  const system = knownIn(Bowser.OS_MAP, os.name);
  return system === null ? name : `${name} on ${system}`;
}

function knownIn(names: Readonly<Record<string, string>>, found: string | undefined): string | null {
  return Object.values(names).find((name) => name === found) ?? null;
}
