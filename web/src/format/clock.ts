/** The device's clock, epoch milliseconds. Shows how long ago something was; nothing is decided by it. */
export function now(): number {
  return Date.now();
}
