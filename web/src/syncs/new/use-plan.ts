import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Destination } from '#client';
import { destinations } from '../../api/destinations.ts';
import { EMPTY_PLAN, type Plan, withDestination } from './plan.ts';
import { forgetPlan, storedPlan, storePlan } from './stored-plan.ts';

export interface Planning {
  readonly plan: Plan;
  readonly change: (plan: Plan) => void;
  /** Records the sync as which a plan was saved, and keeps what has been chosen since. */
  readonly noteSaved: (saved: Pick<Plan, 'saved' | 'savedFrom'>) => void;
  readonly startOver: () => void;
  /** Undefined while they are read. */
  readonly destinations: readonly Destination[] | undefined;
  /** The chosen one, if it can be written to. */
  readonly destination: Destination | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Whether a sync that is being set up can have the destination. Its own preview may be what uses it. */
export function isFree({ status, sync_count: syncs, id }: Destination, plan: Plan): boolean {
  return status === 'active' && (syncs === 0 || (plan.saved !== null && plan.destination === id));
}

/** What has been chosen so far. `named` is a destination in the address, which the person has just created. */
export function usePlan(named: string | undefined): Planning {
  const { data, error, refetch } = useQuery(destinations);
  const [plan, setPlan] = useState(storedPlan);
  // Stored at once: what ends a plan must come after whatever changed it.
  const change = (next: Plan) => {
    storePlan(next);
    setPlan(next);
  };
  const [taken, setTaken] = useState<string | undefined>(undefined);
  const brought = taken === named ? undefined : data?.find(({ id }) => id === named);
  useEffect(() => {
    if (brought === undefined) return;
    setTaken(brought.id);
    setPlan((known) => {
      const next = withDestination(known, brought.id, brought.type);
      storePlan(next);
      return next;
    });
  }, [brought]);
  return {
    plan,
    change,
    // Of what is stored: the page may be gone by now.
    noteSaved: (saved) => change({ ...storedPlan(), ...saved }),
    startOver: () => {
      forgetPlan();
      setPlan(EMPTY_PLAN);
    },
    destinations: data,
    destination: data?.find((one) => one.id === plan.destination && isFree(one, plan)) ?? null,
    error,
    retry: refetch,
  };
}
