/** The device's clock, epoch milliseconds. Used only to show how long ago something was. */
export function now(): number {
  return Date.now();
}
