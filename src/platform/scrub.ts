import { ID_PREFIXES } from '../vocabulary/ids.ts';

const REMOVED = '[removed]';
const DEFAULT_MAX = 300;
/** Text beyond this many times the cut is ignored: an upstream message may be megabytes. */
const LOOK_AHEAD = 4;

/**
 * Line breaks, terminal escapes, zero-width and direction marks: everything that hides or forges what a reader sees.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
const EMAIL = /[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,255}/gu;
const URL_PARTS = /\b([a-z][a-z0-9+.-]{1,15}:\/\/)(?:[^\s/@]*@)?([^\s?#"'<>]*)[?#]?[^\s"'<>]*/giu;
const NAMED_SECRET =
  /\b([\w-]*(?:token|secret|password|passwd|api[-_]?key|authorization|cookie|signature|credential|session)[\w-]*)(["']?\s*[=:]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;&]+/giu;
const CREDENTIAL = /\b(bearer|basic)\s+[^\s"',;]+/giu;
/** Six or more digits, also grouped, as account and card numbers are written. */
const DIGITS = /\p{Nd}(?:[ \u00a0-]?\p{Nd}){5,}/gu;
const DIGIT_RUN = /\p{Nd}{6,}/u;
const DATE = /^(19|20)\d\d-[01]\d-[0-3]\d$/;
const WORD = /[A-Za-z0-9_\-+/=.~]{16,}/g;
/** The length of 18 random bytes in base64. */
const MIXED_CASE_CHARACTERS = 24;
const OWN_ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[0-9A-Za-z]{22}$`);

/**
 * Makes text from outside fit for a log or an error message: no control characters, no run of six or more digits,
 * nothing that looks like a credential, a query string or an e-mail address, at most `max` characters. Our own ids in
 * the form of v2 are kept, so that a reader can tell what a message is about.
 */
export function scrub(text: string, max: number = DEFAULT_MAX): string {
  const scrubbed = lookedAt(text, max * LOOK_AHEAD)
    .replace(INVISIBLE, ' ')
    .replace(URL_PARTS, '$1$2')
    .replace(EMAIL, REMOVED)
    .replace(NAMED_SECRET, `$1$2${REMOVED}`)
    .replace(CREDENTIAL, `$1 ${REMOVED}`)
    .replace(WORD, (word) => (looksLikeToken(word) ? REMOVED : word))
    .replace(DIGITS, (digits) => (DATE.test(digits) ? digits : REMOVED))
    .trim();
  return scrubbed.length <= max
    ? scrubbed
    : `${scrubbed.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The beginning of the text, without a word that the limit cut in two: half a token could look like a word. */
function lookedAt(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/\S+$/, '…');
}

/**
 * A long mix of letters and digits, or a word too long for any language. A path is checked part by part. One in two
 * hundred base64 tokens has no digit; one fifth of capitals then distinguishes it from words joined together.
 */
function looksLikeToken(word: string): boolean {
  if (OWN_ID.test(word) && !DIGIT_RUN.test(word)) return false;
  const mixed = (part: string) => /[A-Za-z]/.test(part) && /[0-9]/.test(part);
  if (word.split(/[/.]/).some((part) => part.length >= 40 || (part.length >= 16 && mixed(part)))) return true;
  const capitals = word.match(/[A-Z]/g)?.length ?? 0;
  const small = word.match(/[a-z]/g)?.length ?? 0;
  if (capitals === 0 || small === 0) return false;
  if (word.length >= 32 && mixed(word)) return true;
  return word.length >= MIXED_CASE_CHARACTERS && capitals * 5 >= capitals + small;
}
