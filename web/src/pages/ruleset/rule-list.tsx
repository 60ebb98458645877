import { VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import type { Rule } from '../../api/ruleset.ts';
import { Announcement } from '../../parts/announcement.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Problem } from '../../parts/problem.tsx';
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
  const [deleting, setDeleting] = useState<Rule | null>(null);
  const { order } = changes.drag;
  const nameIn = (rule: Rule) => nameOf(rules, rules.indexOf(rule));
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
                onDelete={() => setDeleting(rule)}
              />
            ))}
          </ol>
        </Card>
      )}
      <Announcement>{changes.drag.said}</Announcement>
      {deleting === null ? null : (
        <ConfirmDialog
          title={RULESET.deleting.title(nameIn(deleting))}
          action={RULESET.delete}
          busy={false}
          onConfirm={() => {
            changes.remove(deleting);
            setDeleting(null);
          }}
          onClose={() => setDeleting(null)}
        >
          <p>{RULESET.deleting.text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
