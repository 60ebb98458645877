import { Button } from '@mantine/core';
import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { Check, Fields } from '../../parts/fields.tsx';
import boxes from '../../parts/form.module.css';
import { NEW_API_KEY, SCOPE_WORDS } from '../../text/api-keys.ts';
import classes from '../developer.module.css';
import { askedFor, isBrought, isResource, READS, SCOPE_GROUPS } from './scope-groups.ts';

interface ScopeFieldsProps {
  readonly chosen: ReadonlySet<Scope>;
  readonly onChange: (chosen: ReadonlySet<Scope>) => void;
}

/** What the key may do: each scope with what it allows. */
export function ScopeFields({ chosen, onChange }: ScopeFieldsProps) {
  const switched = (scope: Scope, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(scope);
    else next.delete(scope);
    onChange(next);
  };
  return (
    <fieldset className={classes.scopes}>
      <legend className={classes.legend}>{NEW_API_KEY.scopes}</legend>
      <div className={classes.shortcuts}>
        <p className={classes.hint}>{NEW_API_KEY.scopesHint}</p>
        <Button size="xs" variant="default" onClick={() => onChange(new Set([...chosen, ...READS]))}>
          {NEW_API_KEY.allRead}
        </Button>
        <Button size="xs" variant="default" onClick={() => onChange(new Set())}>
          {NEW_API_KEY.clear}
        </Button>
      </div>
      <div className={boxes.groups}>
        {SCOPE_GROUPS.map(({ resource, read, write }) => (
          <div key={resource}>
            <Fields
              legend={isResource(resource, NEW_API_KEY.groups) ? NEW_API_KEY.groups[resource] : resource}
            >
              {[read, write].map((scope) =>
                scope === null ? null : (
                  <Check
                    key={scope}
                    label={scope}
                    hint={isBrought(scope, chosen) ? NEW_API_KEY.included : plain(SCOPE_WORDS[scope])}
                    checked={chosen.has(scope) || isBrought(scope, chosen)}
                    disabled={isBrought(scope, chosen)}
                    onChange={(on) => switched(scope, on)}
                  />
                ),
              )}
            </Fields>
          </div>
        ))}
      </div>
      <p className={classes.hint} role="status">
        {NEW_API_KEY.chosen(askedFor(chosen).length)}
      </p>
    </fieldset>
  );
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}
