import { ynabError } from './errors.ts';
import type { Plan } from './plan.ts';
import { firstPlans } from './seed.ts';

/** The plans of the one user. */
export class World {
  plans: Plan[] = firstPlans();

  /** Raises the vendor's 404. */
  plan(id: string): Plan {
    const found = this.plans.find((plan) => plan.id === id);
    if (found === undefined) throw ynabError('resource_not_found', 'Plan not found');
    return found;
  }
}
