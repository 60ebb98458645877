import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { SCOPE_WORDS } from '../../text/scopes.ts';
import { CodeWords } from '../developer/code-words.tsx';
import classes from '../developer/developer.module.css';

/** Scopes with what each allows. */
export function ScopeList({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <ul className={classes.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          <span className={classes.code}>{scope}</span>
          <span className={classes.meaning}>
            <CodeWords text={SCOPE_WORDS[scope]} />
          </span>
        </li>
      ))}
    </ul>
  );
}
