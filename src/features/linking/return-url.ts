import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { hasPlainHost } from '../../vocabulary/plain-hosts.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

const PARAM = 'return_url';

/**
 * Checks where a person is sent after linking: absolute, http or https, no credentials, a plain host, at most 2048
 * characters. The service never requests it, so any such host is allowed; an app on the person's own machine is a
 * normal case. Raises `parameter_invalid`. Returns the text as the caller wrote it.
 */
export function checkReturnUrl(text: string): string {
  if (text.length > FIXED_LIMITS.url_characters) {
    throw invalidParameter(PARAM, `return_url is longer than ${FIXED_LIMITS.url_characters} characters.`);
  }
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) {
    throw invalidParameter(PARAM, 'return_url must be an absolute http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidParameter(PARAM, 'return_url must not contain a user name or password.');
  }
  if (!hasPlainHost(url)) {
    throw invalidParameter(PARAM, 'return_url must have a DNS name or an IP address as its host.');
  }
  return text;
}

/**
 * The return URL with the outcome in its query (docs/resources.md#link-session); the rest of its query stays unchanged.
 * `name` is the query parameter: destination links work the same way.
 */
export function withOutcome(
  returnUrl: string,
  outcome: 'completed' | { readonly failed: string },
  name: 'link_session' | 'destination_link' = 'link_session',
): string {
  const url = new URL(returnUrl);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && ![name, 'reason'].includes(pair.split('=', 1)[0] ?? ''));
  const added =
    outcome === 'completed'
      ? [`${name}=completed`]
      : [`${name}=failed`, `reason=${encodeURIComponent(outcome.failed)}`];
  url.search = [...others, ...added].join('&');
  return url.href;
}
