import type { Static } from 'typebox';
import type { CountedRule } from '../../storage/rules.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { ruleSchema } from '../schemas/rules.ts';
import { moment, momentOrNull } from './moments.ts';

export function presentRule(rule: CountedRule): Static<typeof ruleSchema> {
  return {
    id: publicId('rule', rule.id),
    object: 'rule',
    ruleset: publicId('ruleset', rule.ruleset),
    name: rule.name,
    position: rule.position,
    enabled: rule.enabled,
    conditions: rule.conditions,
    actions: [...rule.actions],
    stop: rule.stop,
    hits: rule.hits,
    last_hit_at: momentOrNull(rule.last_hit_at),
    livemode: true,
    created: moment(rule.created),
    updated: moment(rule.updated),
  };
}
