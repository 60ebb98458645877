import { ActionIcon, Menu } from '@mantine/core';
import type { Ruleset } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { RULESETS } from '../../text/rules.ts';
import classes from './rulesets.module.css';
import type { RulesetActions } from './use-ruleset-actions.tsx';

interface RulesetMenuProps {
  readonly ruleset: Ruleset;
  readonly actions: RulesetActions;
}

/** Everything that can be done with a ruleset. */
export function RulesetMenu({ ruleset, actions }: RulesetMenuProps) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          className={classes.menu ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          loading={actions.busy}
          aria-label={RULESETS.actionsOf(ruleset.name)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={actions.rename}>{RULESETS.rename}</Menu.Item>
        <Menu.Item onClick={actions.toggle}>{ruleset.enabled ? RULESETS.turnOff : RULESETS.turnOn}</Menu.Item>
        <Menu.Item onClick={actions.duplicate}>{RULESETS.duplicate}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.askToDelete}>
          {RULESETS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
