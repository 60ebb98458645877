/**
 * When to try work again that began at `since` and failed at `now`, epoch ms: after half its age, so that the waits
 * grow with it and no count of attempts is stored. Never sooner than `least` nor later than `most` ms from now.
 */
export function retryAt(since: number, now: number, least: number, most: number): Date {
  return new Date(now + Math.min(Math.max((now - since) / 2, least), most));
}
