import type { Search } from '../shell/search.ts';

/** Which merchants are listed. */
export interface MerchantsSearch {
  readonly q?: string;
  readonly currency?: string;
}

export function merchantsSearch({ q, currency }: Search): MerchantsSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof currency === 'string' && /^[a-z]{3}$/.test(currency) && { currency }),
  };
}
