import { ApiError } from '#client';
import { NotYours } from '../../parts/owner-only.tsx';
import { Problem } from '../../parts/page-states.tsx';

interface RefusalProps {
  readonly error: unknown;
  readonly again: () => void;
}

/** Why a page cannot be shown. What a reader may not see is no fault, and trying again would not change it. */
export function Refusal({ error, again }: RefusalProps) {
  return error instanceof ApiError && error.code === 'insufficient_scope' ? (
    <NotYours />
  ) : (
    <Problem error={error} again={again} />
  );
}
