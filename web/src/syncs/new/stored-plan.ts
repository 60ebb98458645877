import { MAPPING_MODES, SYNC_OPTION_DEFAULTS, SYNC_TYPES } from '../../../../src/vocabulary/syncs.ts';
import { isObject } from '../../api/json.ts';
import { EMPTY_PLAN, type Plan, type PlanFlags } from './plan.ts';

/** A plan survives a visit to a vendor's sign-in page, and a reload, but only in this tab. */
const PLACE = 'new-sync';

export function storePlan(plan: Plan): void {
  sessionStorage.setItem(PLACE, JSON.stringify(plan));
}

export function forgetPlan(): void {
  sessionStorage.removeItem(PLACE);
}

export function storedPlan(): Plan {
  return readPlan(sessionStorage.getItem(PLACE));
}

/** What was stored, as far as this version of the page understands it. */
export function readPlan(text: string | null): Plan {
  const found = objectIn(text);
  if (found === null) return EMPTY_PLAN;
  return {
    type: SYNC_TYPES.find((one) => one === found.type) ?? EMPTY_PLAN.type,
    name: textOrNull(found.name),
    accounts: texts(found.accounts) ?? [],
    destination: textOrNull(found.destination),
    mode: MAPPING_MODES.find((one) => one === found.mode) ?? EMPTY_PLAN.mode,
    accountMappings: members(found.accountMappings).flatMap(({ account, ...place }) =>
      typeof account === 'string' ? [{ account, ...textsOf(place) }] : [],
    ),
    categoryMappings: members(found.categoryMappings).flatMap((one) => {
      const { provider_category: code, destination_category: category } = one;
      if (typeof code !== 'string' || typeof category !== 'string') return [];
      return [
        {
          provider_category: code,
          destination_category: category,
          destination_category_name: textOrNull(one.destination_category_name),
        },
      ];
    }),
    columns: texts(found.columns),
    ruleset: textOrNull(found.ruleset),
    dataFrom: textOrNull(found.dataFrom),
    flags: flagsOf(found.flags),
    schedule: scheduleOf(found.schedule),
    saved: textOrNull(found.saved),
    savedFrom: textOrNull(found.savedFrom),
  };
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(text: string | null): Members | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function texts(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;
}

function members(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsOf(place: Members): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(place).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
}

function flagsOf(value: unknown): PlanFlags {
  const given = isObject(value) ? value : {};
  const flag = (name: keyof PlanFlags) => {
    const stored = given[name];
    return typeof stored === 'boolean' ? stored : SYNC_OPTION_DEFAULTS[name];
  };
  return {
    include_pending: flag('include_pending'),
    mask_account_numbers: flag('mask_account_numbers'),
    custom_categories: flag('custom_categories'),
    include_balances_tab: flag('include_balances_tab'),
  };
}

function scheduleOf(value: unknown): Plan['schedule'] {
  if (!isObject(value)) return null;
  const { interval_minutes: minutes, times, timezone } = value;
  if (typeof minutes === 'number') return { interval_minutes: minutes };
  const given = texts(times);
  return given === null || typeof timezone !== 'string' ? null : { times: [...given], timezone };
}
