import classes from './monogram.module.css';

const HUES = [classes.moss, classes.sea, classes.plum, classes.clay, classes.sand, classes.slate] as const;

/**
 * The initials of a bank on a colour of its own. Logos are at the vendors, who would learn when somebody looks at their
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
