import { LIMITS } from '../../src/vocabulary/limits.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke } from './provocation.ts';
import { made, ruleBody } from './things.ts';

const broken =
  (table: string): Provoke =>
  ({ stage, things }, operation) =>
    stage.withBrokenTable(table, () => send(things.owner, askAbout(operation, things.ids)));

export const RULE_CODES: Readonly<Record<string, Provocations>> = {
  create_ruleset: { ruleset_create_failed: broken('rulesets') },
  duplicate_ruleset: { ruleset_duplicate_failed: broken('rulesets') },
  create_rule: {
    rule_create_failed: broken('rules'),
    rule_limit_reached: async ({ things }, operation) => {
      const { id } = await made(things.owner, '/v2/rulesets', { name: 'Full' });
      const path = `/v2/rulesets/${id}/rules`;
      for (let rule = 0; rule < LIMITS.ruleset_rules.default; rule++) {
        await made(things.owner, path, ruleBody());
      }
      return send(things.owner, { ...askAbout(operation, things.ids), path });
    },
  },
  update_rule: {
    parameter_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { actions: [{}] } }),
  },
};
