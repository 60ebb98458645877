import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { Rule } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { useMay } from '../../api/me.ts';
import { agoText } from '../../format/moments.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Grip } from '../../parts/grip.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Announcement } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Empty, Problem } from '../../parts/page-states.tsx';
import { DRAGGING } from '../../text/categories.ts';
import { RULESET, RULESETS } from '../../text/rules.ts';
import { type RuleNames, ruleReading } from './reading.ts';
import { nameOf } from './rule-order.ts';
import classes from './ruleset.module.css';
import { type RuleChanges, useRuleChanges } from './use-rule-changes.ts';
import { useRuleReferences } from './use-rule-references.ts';

interface RuleListProps {
  readonly ruleset: string;
  readonly rules: readonly Rule[];
}

/** The rules in their order. */
export function RuleList({ ruleset, rules }: RuleListProps) {
  const hint = useId();
  const { names } = useRuleReferences();
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

interface RuleRowProps {
  readonly ruleset: string;
  readonly rule: Rule;
  readonly name: string;
  readonly at: number;
  /** Id of an element that says which keys move it. */
  readonly hint: string;
  readonly names: RuleNames;
  readonly changes: RuleChanges;
  readonly onDelete: () => void;
}

/** A rule: its name, what it does in plain English, and how often it did. */
function RuleRow({ ruleset, rule, name, at, hint, names, changes, onDelete }: RuleRowProps) {
  const navigate = useNavigate();
  const mayChange = useMay('rules:write');
  const { drag, enable } = changes;
  const hits =
    rule.last_hit_at === null
      ? RULESET.noHits
      : `${RULESET.hits(rule.hits)}, ${RULESET.lastHit(agoText(rule.last_hit_at))}`;
  return (
    <li
      className={drag.lifted === rule.id ? `${classes.rule} ${classes.lifted}` : classes.rule}
      data-order-kind="rule"
      data-order-id={rule.id}
    >
      <OwnerOnly scope="rules:write">
        <Grip label={DRAGGING.grip(name)} hint={hint} handlers={drag.grip(rule.id)} />
      </OwnerOnly>
      <span className={classes.number} aria-hidden="true">
        {at + 1}
      </span>
      <div className={classes.words}>
        {mayChange ? (
          <Link
            to={APP_PATHS.ruleset}
            params={{ id: ruleset }}
            search={{ rule: rule.id }}
            className={classes.ruleName}
          >
            {name}
          </Link>
        ) : (
          <span className={classes.only}>{name}</span>
        )}
        <p className={rule.enabled ? classes.reading : `${classes.reading} ${classes.off}`}>
          {ruleReading(rule, names)}
        </p>
        <p className={classes.hits}>{hits}</p>
      </div>
      <label className={classes.switch}>
        <input
          type="checkbox"
          role="switch"
          checked={rule.enabled}
          disabled={!mayChange}
          aria-checked={rule.enabled}
          aria-label={RULESET.on(name)}
          onChange={({ currentTarget }) => enable(rule, currentTarget.checked)}
        />
      </label>
      <OwnerOnly scope="rules:write">
        <Menu position="bottom-end" width={160}>
          <Menu.Target>
            <ActionIcon
              className={classes.menu ?? ''}
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={RULESET.actionsOf(name)}
            >
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                navigate({ to: APP_PATHS.ruleset, params: { id: ruleset }, search: { rule: rule.id } })
              }
            >
              {RULESET.edit}
            </Menu.Item>
            <Menu.Item onClick={() => drag.move(rule.id, -1)}>{RULESET.up}</Menu.Item>
            <Menu.Item onClick={() => drag.move(rule.id, 1)}>{RULESET.down}</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={onDelete}>
              {RULESET.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </OwnerOnly>
    </li>
  );
}

interface AddRuleButtonProps {
  readonly ruleset: string;
  readonly icon?: ReactNode;
}

/** Leads to the builder of a new rule. */
export function AddRuleButton({ ruleset: id, icon = null }: AddRuleButtonProps) {
  return (
    <LinkButton leftSection={icon} to={APP_PATHS.ruleset} params={{ id }} search={{ rule: 'new' }}>
      {RULESET.add}
    </LinkButton>
  );
}
