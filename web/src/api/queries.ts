import { QueryClient } from '@tanstack/react-query';
import { ApiError, mayPass } from './api-error.ts';

const RETRIES = 2;
/** A longer wait than this is a failure to show. */
const MOST_WAIT_MS = 70_000;
const WAIT_MS = 1_000;
const FRESH_MS = 15_000;

/** What pages have read, shared between them. The one place where reads are repeated; writes never are. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < RETRIES && mayPass(error) && waitOf(failures, error) <= MOST_WAIT_MS,
      retryDelay: waitOf,
    },
    mutations: { retry: false },
  },
});

/** As long as the service asks for, else longer each time. */
function waitOf(failures: number, error: unknown): number {
  return (error instanceof ApiError ? error.retryAfterMs : null) ?? WAIT_MS * 2 ** failures;
}
