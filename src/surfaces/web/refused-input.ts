import { OperatorRefusal } from '../../features/operator/refusal.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** What is wrong with what a person entered, in words for them; raises everything else. */
export function problemOf(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'parameter_invalid') return error.message;
  if (error instanceof OperatorRefusal) return error.message;
  throw error;
}

/** The same of what `work` raises; null where it raises nothing. */
export async function refusedInput(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return problemOf(error);
  }
}
