import { useIsMutating } from '@tanstack/react-query';
import { ApiError, type Sync } from '#client';
import type { DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import { api } from '../../api/client.ts';
import { updateSync } from '../../api/syncs.ts';
import { mapsCategories } from '../fields/mapping-modes.ts';
import { bodyOf, type Plan } from './plan.ts';

/** What a plan becomes: a paused sync for a preview, one that starts now, or one that waits for its schedule. */
export type Intent = 'preview' | 'run' | 'later';

interface Saving {
  readonly plan: Plan;
  readonly destination: DestinationType;
  /** Its name unless the plan has one. */
  readonly name: string;
  readonly intent: Intent;
  /** Called with the sync as soon as there is one, so that another attempt continues with it. */
  readonly onSaved: (id: string) => void;
}

/**
 * Makes a plan into a sync. Another attempt after a failure continues where the last one stopped. Raises the errors of
 * v2.
 */
export async function savePlan({ plan, destination, name, intent, onSaved }: Saving): Promise<Sync> {
  const body = bodyOf(plan, destination, name);
  const wantsCategories = mapsCategories(plan.type, destination);
  const known = await usableSync(plan);
  const whole = plan.ruleset === null && (!wantsCategories || plan.categoryMappings.length === 0);
  const startsAtOnce = known === null && whole && intent === 'run';
  let sync =
    known === null
      ? await api.syncs.create({ ...body, run_now: startsAtOnce })
      : await updateSync({
          id: known.id,
          name: body.name,
          ...(body.account_mappings !== undefined && { account_mappings: body.account_mappings }),
          ...(body.columns !== undefined && { columns: body.columns }),
          ...(body.options !== undefined && { options: body.options }),
          ...(body.schedule !== undefined && { schedule: body.schedule }),
        });
  onSaved(sync.id);
  if (intent === 'preview' && sync.enabled) sync = await updateSync({ id: sync.id, enabled: false });
  const attached = plan.ruleset === null ? [] : [plan.ruleset];
  if (sync.rulesets.join() !== attached.join())
    sync = await api.syncs.attachRulesets({ id: sync.id, rulesets: attached });
  if (wantsCategories && (known !== null || plan.categoryMappings.length > 0)) {
    await api.syncs.setCategoryMappings({ id: sync.id, mappings: plan.categoryMappings }).page();
  }
  if (intent === 'preview') return sync;
  if (!sync.enabled) sync = await updateSync({ id: sync.id, enabled: true });
  if (intent === 'run' && !startsAtOnce) return { ...sync, latest_run: await api.syncs.run({ id: sync.id }) };
  return sync;
}

/** Deletes what a preview saved, unless it has run since. */
export async function discardSaved(id: string): Promise<void> {
  const known = await savedSync(id);
  if (known !== null && known.latest_run === null) await api.syncs.delete({ id });
}

/**
 * The sync that an earlier attempt saved, if it only needs an update. If something was changed that cannot be updated,
 * it is deleted; it has never run.
 */
async function usableSync(plan: Plan): Promise<Sync | null> {
  if (plan.saved === null) return null;
  const known = await savedSync(plan.saved);
  if (known === null || known.latest_run !== null) return null;
  // A sync without a first day keeps the one it has, so v2 cannot be asked for its own choice again.
  const wantsDefaultDay = plan.dataFrom === null && plan.savedFrom !== null;
  const same =
    !wantsDefaultDay &&
    known.type === plan.type &&
    known.destination.id === plan.destination &&
    known.destination.mapping_mode === plan.mode &&
    known.accounts.toSorted().join() === plan.accounts.toSorted().join();
  if (same) return known;
  await api.syncs.delete({ id: known.id });
  return null;
}

async function savedSync(id: string): Promise<Sync | null> {
  try {
    return await api.syncs.get({ id, include: ['latest_run'] });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The key of the one mutation that makes a plan into a sync. */
export const SAVING = ['new-sync'] as const;

/** Whether a plan is being saved; until then, nothing can be changed that the sync would lack. */
export function useIsSaving(): boolean {
  return useIsMutating({ mutationKey: SAVING }) > 0;
}
