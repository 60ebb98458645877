import { DestinationFailure } from '../destination-failure.ts';
import type { YnabApi } from './client.ts';

/** The plan a run writes to, as it was when the run first wrote. */
export class OpenPlan {
  readonly id: string;
  /** Upper-case ISO 4217 code: everything in a plan is in one currency. */
  readonly currency: string;
  readonly #openAccounts: ReadonlySet<string>;

  private constructor(id: string, currency: string, openAccounts: ReadonlySet<string>) {
    this.id = id;
    this.currency = currency;
    this.#openAccounts = openAccounts;
  }

  /** In one call. Raises DestinationFailure: `destination_resource_missing` for a plan that is not there any more. */
  static async read(api: YnabApi, id: string, signal: AbortSignal): Promise<OpenPlan> {
    const plan = (await api.plans(true, signal)).find((one) => one.id === id);
    if (plan === undefined) throw missing('The plan of this destination is not in YNAB any more.');
    const currency = plan.currency_format?.iso_code;
    if (currency === undefined) {
      throw new DestinationFailure(
        'run_failed',
        'YNAB does not say which currency the plan is in; save the plan’s settings there.',
        { outcome: 'refused', retryable: false },
      );
    }
    const open = (plan.accounts ?? []).filter(({ closed, deleted }) => !closed && !deleted);
    return new OpenPlan(id, currency.toUpperCase(), new Set(open.map((account) => account.id)));
  }

  /** Raises DestinationFailure `destination_resource_missing` for an account that is closed or deleted. */
  requireOpen(account: string): void {
    if (this.#openAccounts.has(account)) return;
    throw missing('An account of the plan that a bank account is mapped to is closed or deleted in YNAB.');
  }
}

function missing(message: string): DestinationFailure {
  return new DestinationFailure('destination_resource_missing', message, {
    outcome: 'refused',
    retryable: false,
  });
}
