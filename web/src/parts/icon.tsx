import classes from './icon.module.css';

/** Strokes of each icon in a square of 20. */
const PATHS = {
  home: 'M3 9.5 10 3.5l7 6M5 8v8.5h10V8M8.5 16.5v-5h3v5',
  bank: 'M3 8 10 4l7 4H3ZM5 8v6M10 8v6M15 8v6M3 16.5h14',
  list: 'M4 5.5h12M4 10h12M4 14.5h8',
  sync: 'M4 8a6.2 6.2 0 0 1 11-2l1.5 2M16.5 4v4h-4M16 12a6.2 6.2 0 0 1-11 2l-1.5-2M3.5 16v-4h4',
  person: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  chevron: 'm7.5 5 5 5-5 5',
  back: 'm12.5 5-5 5 5 5',
  warning: 'M10 3.5 2.5 16.5h15L10 3.5ZM10 8.5v3.5M10 14.3h.01',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  close: 'm5 5 10 10M15 5 5 15',
  chart: 'M3.5 16.5h13M6 13.5v-4M10 13.5v-8M14 13.5v-6',
  send: 'M3 10 17 3.5l-4 13-3.5-5L3 10ZM9.5 11.5 17 3.5',
  tag: 'M10.5 3.5h6v6l-7 7-6-6 7-7ZM13.5 6.5h.01',
  code: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  gear: 'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M15 5l-1.5 1.5M6.5 13.5 5 15',
  key: 'M12.5 11.5a4 4 0 1 0-3.6-2.3L3.5 14.6v2h2.6v-1.8h1.8V13h1.6l1-1.1M13.5 7.5h.01',
  shield: 'M10 3 4 5.2v4.3c0 3.7 2.5 6.2 6 7.5 3.5-1.3 6-3.8 6-7.5V5.2L10 3Z',
  up: 'm5 12.5 5-5 5 5',
  down: 'm5 7.5 5 5 5-5',
  copy: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4',
  download: 'M10 3.5v9M6 9l4 4 4-4M4 16.5h12',
  grip: 'M7.5 5h.01M12.5 5h.01M7.5 10h.01M12.5 10h.01M7.5 15h.01M12.5 15h.01',
} as const;

type IconName = keyof typeof PATHS;

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
      <path d={PATHS[name]} />
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
