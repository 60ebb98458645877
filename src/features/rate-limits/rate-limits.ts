import type { Quotas } from '../../connectors/destinations/destination-integration.ts';
import type { AuthAttempts } from './auth-attempts.ts';
import type { CallerSlots } from './caller-slots.ts';
import type { AddressLimit, HostedLimits } from './hosted-limits.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import type { TierLimits } from './tier-limits.ts';
import type { VendorQuotas } from './vendor-quotas.ts';

/** Everything that bounds how much anybody may ask (docs/limits.md). */
export interface RateLimits {
  readonly attempts: AuthAttempts;
  readonly tiers: TierLimits;
  readonly heavy: CallerSlots;
  /** For the pages at which a person links. */
  readonly hosted: HostedLimits;
  /** For people who sign in. */
  readonly signIns: SignInAttempts;
  /** For notifications of providers. */
  readonly webhooks: AddressLimit;
  /** For requests to the authorization server. */
  readonly oauth: AddressLimit;
  /** Of the vendors of destinations: what they allow us. */
  readonly quotas: Quotas & Pick<VendorQuotas, 'left'>;
  /** Deletes what was counted in windows that are over, where the store does not do so by itself. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
