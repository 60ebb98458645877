import { ICONS, type IconName } from '../../../src/vocabulary/icons.ts';
import classes from './icon.module.css';

/** Points are drawn as strokes without length, which need more weight. */
const DOTS: ReadonlySet<IconName> = new Set(['more', 'grip']);

/** A small picture beside a word with the same meaning, hidden from screen readers. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={DOTS.has(name) ? 2.4 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={ICONS[name]} />
    </svg>
  );
}

const HUES = [classes.moss, classes.sea, classes.plum, classes.clay, classes.sand, classes.slate] as const;

/**
 * The initials of a bank on its own colour. Logos are hosted by vendors, who would learn when people look at their
 * accounts (docs/decisions/0032-web-application.md).
 */
export function Monogram({ name }: { readonly name: string }) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const initials = words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
  const sum = [...name].reduce((total, one) => (total * 31 + (one.codePointAt(0) ?? 0)) % 1_000_003, 0);
  return (
    <span className={`${classes.monogram} ${HUES[sum % HUES.length]}`} aria-hidden="true">
      {initials}
    </span>
  );
}
