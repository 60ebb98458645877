import { useRouter } from '@tanstack/react-router';
import { switchRecord } from '../api/account-records.ts';
import { appUrl } from '../api/app-url.ts';

/** Parts of addresses that are the same in every account record. */
const COMMON: ReadonlySet<string> = new Set(['operation']);

/** Switches to another account record and stays on the same kind of page, or goes home from a page about one thing. */
export function useSwitching(): (id: string) => void {
  const router = useRouter();
  return (id) => {
    const parts = Object.keys(router.state.matches.at(-1)?.params ?? {});
    const stays = parts.every((part) => COMMON.has(part));
    switchRecord(id, stays ? location.pathname : appUrl('').pathname);
  };
}
