import { ApiError, type Sync, type SyncsCreateInput } from '#client';
import { DESTINATION_KINDS, type DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import {
  type CategoryMapping,
  type MappingMode,
  SYNC_OPTION_DEFAULTS,
  type SyncType,
} from '../../../../src/vocabulary/syncs.ts';
import {
  type AccountMapping,
  fittingMappings,
  mapsAccounts,
  mapsCategories,
  needsMappings,
  takesMappings,
  unmapped,
} from '../fields/mapping-modes.ts';
import type { AddressStep } from '../search.ts';

/** The choices so far for a sync that is not saved, or saved and paused for a preview. */
export interface Plan {
  readonly type: SyncType;
  /** Null: the suggested one. */
  readonly name: string | null;
  readonly accounts: readonly string[];
  readonly destination: string | null;
  readonly mode: MappingMode;
  readonly accountMappings: readonly AccountMapping[];
  readonly categoryMappings: readonly CategoryMapping[];
  readonly columns: readonly string[] | null;
  readonly ruleset: string | null;
  readonly dataFrom: string | null;
  readonly flags: PlanFlags;
  readonly schedule: Sync['schedule'];
  /** The sync as it was saved for the preview. */
  readonly saved: string | null;
  /** The first day that it was saved with; null for the one that v2 chose. */
  readonly savedFrom: string | null;
}

export type PlanFlags = Readonly<Record<keyof typeof SYNC_OPTION_DEFAULTS, boolean>>;

export const EMPTY_PLAN: Plan = {
  type: 'transactions',
  name: null,
  accounts: [],
  destination: null,
  mode: 'bulk',
  accountMappings: [],
  categoryMappings: [],
  columns: null,
  ruleset: null,
  dataFrom: null,
  // People see their own categories in the application, and expect them at a destination.
  flags: { ...SYNC_OPTION_DEFAULTS, custom_categories: true },
  schedule: null,
  saved: null,
  savedFrom: null,
};

export type Step = AddressStep;

/** The steps of a plan, in order; if accounts have no separate places, there is nothing to map. */
export function stepsOf({ type }: Plan, destination: DestinationType | null): readonly Step[] {
  const maps = destination !== null && (mapsAccounts(type, destination) || mapsCategories(type, destination));
  return [
    'data',
    'accounts',
    'destination',
    ...(maps ? (['places'] as const) : []),
    'rows',
    'schedule',
    'review',
  ];
}

/** What a step still lacks before the next one can be shown. */
export type Lack = 'accounts' | 'destination' | 'places';

export function lackOf(step: Step, plan: Plan, destination: DestinationType | null): Lack | null {
  if (step === 'accounts') return plan.accounts.length === 0 ? 'accounts' : null;
  if (step === 'destination') return destination === null ? 'destination' : null;
  if (step !== 'places' || destination === null || !needsMappings(plan.type, destination)) return null;
  return unmapped(plan.accountMappings, plan.accounts).length > 0 ? 'places' : null;
}

/** The first step up to this one that lacks something, since an address may name a step that cannot be reached yet. */
export function reachableStep(asked: Step, plan: Plan, destination: DestinationType | null): Step {
  const steps = stepsOf(plan, destination);
  const wanted = steps.includes(asked) ? asked : 'rows';
  const before = steps.slice(0, steps.indexOf(wanted));
  return before.find((step) => lackOf(step, plan, destination) !== null) ?? wanted;
}

/** Changing what is copied resets everything that depends on it. */
export function withType(plan: Plan, type: SyncType): Plan {
  if (plan.type === type) return plan;
  return {
    ...EMPTY_PLAN,
    type,
    name: plan.name,
    schedule: plan.schedule,
    saved: plan.saved,
    savedFrom: plan.savedFrom,
  };
}

/** Another destination has other places, categories and columns. */
export function withDestination(plan: Plan, destination: string, type: DestinationType): Plan {
  if (plan.destination === destination) return plan;
  return {
    ...plan,
    destination,
    mode: needsMappings(plan.type, type) ? 'per_account' : 'bulk',
    accountMappings: [],
    categoryMappings: [],
    columns: DESTINATION_KINDS[type].columns ? plan.columns : null,
  };
}

/** What v2 is asked to create. */
export function bodyOf(
  plan: Plan,
  destination: DestinationType,
  name: string,
): Omit<SyncsCreateInput, 'run_now'> {
  const { type, mode, accounts, columns, dataFrom, flags, schedule } = plan;
  const places = mapsAccounts(type, destination) && takesMappings(destination, mode);
  return {
    type,
    name: plan.name ?? name,
    destination: plan.destination ?? '',
    accounts: [...accounts],
    mapping_mode: mapsAccounts(type, destination) ? mode : 'bulk',
    ...(places && { account_mappings: fittingMappings(plan.accountMappings, accounts) }),
    columns: columns === null ? null : [...columns],
    options: { ...flags, ...(dataFrom !== null && { data_from: dataFrom }) },
    schedule,
  };
}

const STEP_OF_PARAM: readonly (readonly [RegExp, Step])[] = [
  [/^account_mappings|^mapping_mode|^mappings/, 'places'],
  [/^accounts/, 'accounts'],
  [/^destination/, 'destination'],
  [/^columns|^options|^rulesets/, 'rows'],
  [/^schedule|^name/, 'schedule'],
  [/^type/, 'data'],
];

const STEP_OF_CODE: Readonly<Record<string, Step>> = {
  mapping_required: 'places',
  destination_incomplete: 'destination',
  destination_disabled: 'destination',
  destination_in_use: 'destination',
  professional_required: 'data',
};

/** The step at which a person can change what v2 refused; null if no choice is at fault. */
export function stepOfProblem(error: unknown): Step | null {
  if (!(error instanceof ApiError) || error.status >= 500) return null;
  const { code, param } = error;
  const known = code === null ? undefined : STEP_OF_CODE[code];
  if (known !== undefined) return known;
  return STEP_OF_PARAM.find(([form]) => param !== null && form.test(param))?.[1] ?? null;
}
