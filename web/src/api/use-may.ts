import { useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { me } from './me.ts';

/**
 * Whether the person may do what needs the scope. Yes until it is known, so that nothing moves for the many who may; the
 * service refuses the others anyway.
 */
export function useMay(scope: Scope): boolean {
  return useQuery(me).data?.scopes.includes(scope) ?? true;
}
