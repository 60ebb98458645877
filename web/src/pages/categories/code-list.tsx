import type { Category, ProviderCategory } from '#client';
import { Check } from '../../parts/check.tsx';
import { CLAIMS } from '../../text/categories.ts';
import classes from './categories.module.css';
import { familiesOf, holdersOf, matching } from './claims.ts';

interface CodeListProps {
  readonly codes: readonly ProviderCategory[];
  readonly search: string;
  readonly category: Category;
  readonly all: readonly Category[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (code: string) => void;
}

/** The codes that match, each below its primary, with the category it is in now. */
export function CodeList({ codes, search, category, all, chosen, onToggle }: CodeListProps) {
  const holders = holdersOf(all);
  const families = matching(familiesOf(codes), search);
  const nowIn = ({ code, parent }: ProviderCategory): string => {
    const holder = holders.get(code);
    if (holder !== undefined) return holder.id === category.id ? CLAIMS.here : CLAIMS.heldBy(holder.name);
    const fallback = parent === null ? undefined : holders.get(parent);
    return fallback === undefined ? CLAIMS.free : CLAIMS.follows(fallback.name);
  };
  const shown = families.flatMap(({ primary, members }) => [primary, ...members]);
  if (shown.length === 0) return <p className={classes.noCode}>{CLAIMS.none}</p>;
  return (
    <ul className={classes.codes} aria-label={CLAIMS.codes}>
      {shown.map((code) => (
        <li
          key={code.code}
          className={code.parent === null ? classes.code : `${classes.code} ${classes.child}`}
        >
          <Check
            label={code.label}
            hint={nowIn(code)}
            checked={chosen.has(code.code)}
            onChange={() => onToggle(code.code)}
          />
        </li>
      ))}
    </ul>
  );
}
