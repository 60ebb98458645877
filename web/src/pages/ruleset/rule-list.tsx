import { VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import type { Rule } from '#client';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Announcement } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Empty, Problem } from '../../parts/page-states.tsx';
import { DRAGGING } from '../../text/categories.ts';
import { RULESET, RULESETS } from '../../text/rules.ts';
import { AddRuleButton } from './add-rule-button.tsx';
import { nameOf } from './rule-order.ts';
import { RuleRow } from './rule-row.tsx';
import classes from './ruleset.module.css';
import { useRuleChanges } from './use-rule-changes.ts';
import { useRuleWorld } from './use-rule-world.ts';

interface RuleListProps {
  readonly ruleset: string;
  readonly rules: readonly Rule[];
}

/** The rules in their order. */
export function RuleList({ ruleset, rules }: RuleListProps) {
  const hint = useId();
  const { names } = useRuleWorld();
  const changes = useRuleChanges(ruleset, rules);
  const [asked, setAsked] = useState<Rule['id'] | null>(null);
  const { order } = changes.drag;
  // By its id: the list may be read again while the question is open.
  const deleting = rules.find(({ id }) => id === asked);
  return (
    <>
      {changes.failure === null ? null : (
        <Problem error={changes.failure.error} title={changes.failure.title} />
      )}
      {rules.length === 0 ? (
        <div className={classes.none}>
          <Empty
            title={RULESET.none}
            text={RULESET.noneText}
            action={
              <OwnerOnly scope="rules:write">
                <AddRuleButton ruleset={ruleset} />
              </OwnerOnly>
            }
          />
        </div>
      ) : (
        <Card title={RULESET.rules} aside={RULESETS.count(rules.length)}>
          <p className={classes.note}>{`${RULESET.order} ${RULESET.hitsHint}`}</p>
          <VisuallyHidden id={hint}>{DRAGGING.hint}</VisuallyHidden>
          <ol className={classes.rules}>
            {order.map((rule, at) => (
              <RuleRow
                key={rule.id}
                ruleset={ruleset}
                rule={rule}
                name={nameOf(order, at)}
                at={at}
                hint={hint}
                names={names}
                changes={changes}
                onDelete={() => setAsked(rule.id)}
              />
            ))}
          </ol>
        </Card>
      )}
      <Announcement>{changes.drag.said}</Announcement>
      {deleting === undefined ? null : (
        <ConfirmDialog
          title={RULESET.deleting.title(nameOf(rules, rules.indexOf(deleting)))}
          action={RULESET.delete}
          busy={false}
          onConfirm={() => {
            changes.remove(deleting);
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        >
          <p>{RULESET.deleting.text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
