import { useIsMutating } from '@tanstack/react-query';

/** The key of the one mutation that makes a plan into a sync. */
export const SAVING = ['new-sync'] as const;

/** Whether a plan is being saved: until that is done nothing can be changed that the sync would not have. */
export function useIsSaving(): boolean {
  return useIsMutating({ mutationKey: SAVING }) > 0;
}
