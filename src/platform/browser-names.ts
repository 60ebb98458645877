import Bowser from 'bowser';

/** Browsers send about 150 characters; a longer header names no known browser. */
const MOST_CHARACTERS = 512;

/**
 * The common name of the browser in a `User-Agent` header, such as `Firefox on Windows`; null for an unknown one.
 * Nothing else is copied from the header, so the name never contains text that a stranger wrote.
 */
export function browserName(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MOST_CHARACTERS) return null;
  const { browser, os } = Bowser.parse(userAgent);
  // For an unknown agent, the library returns its first word.
  const name = knownIn(Bowser.BROWSER_MAP, browser.name);
  if (name === null) return null;
  const system = knownIn(Bowser.OS_MAP, os.name);
  return system === null ? name : `${name} on ${system}`;
}

function knownIn(names: Readonly<Record<string, string>>, found: string | undefined): string | null {
  return Object.values(names).find((name) => name === found) ?? null;
}
