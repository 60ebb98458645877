import type { TestOwner } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';

/** The id of the category of this name. */
export async function categoryId(owner: TestOwner, name: string): Promise<string> {
  const { body } = await owner.v2('GET', '/v2/categories');
  return body.data.find((one: Json) => one.name === name).id;
}

/** A ruleset with three rules: one that changes rows, one that skips some, one that matches none. */
export async function addRuleset(owner: TestOwner, name = 'Household rules'): Promise<Json> {
  const { body: ruleset } = await owner.v2('POST', '/v2/rulesets', {
    name,
    description: 'Tidy up what goes into the household sheet',
  });
  const rules = [
    {
      name: 'Money in is salary',
      conditions: { field: 'direction', operator: 'equals', value: 'credit' },
      actions: [
        { type: 'set_category', value: await categoryId(owner, 'Salary') },
        { type: 'add_tag', value: 'income' },
      ],
    },
    {
      name: null,
      conditions: {
        all: [
          { field: 'direction', operator: 'equals', value: 'debit' },
          { field: 'amount', operator: 'lt', value: '40' },
        ],
      },
      actions: [{ type: 'skip' }],
    },
    {
      name: 'Never',
      conditions: { field: 'description', operator: 'equals', value: 'no such description' },
      actions: [{ type: 'set_memo', value: 'never' }],
      stop: true,
    },
  ];
  for (const rule of rules) await owner.v2('POST', `/v2/rulesets/${ruleset.id}/rules`, rule);
  return ruleset;
}
