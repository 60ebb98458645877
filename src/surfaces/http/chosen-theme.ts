import { cookieOf } from '../../platform/request-cookie.ts';
import { THEME_COOKIE, THEMES, type Theme } from '../../vocabulary/themes.ts';

/** The theme in a `Cookie` header; null where nobody chose one, and the page follows the device. */
export function themeIn(header: string | undefined): Theme | null {
  const value = cookieOf(header, THEME_COOKIE);
  return THEMES.find((theme) => theme === value) ?? null;
}
