/**
 * Does the work for every item, so many at once, and for items of one key one after another in their order. Raises what
 * the work raises, once everything under way has ended.
 */
export async function inOrderByKey<T>(
  items: readonly T[],
  atOnce: number,
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queues = new Map<string, T[]>();
  for (const item of items) {
    const queue = queues.get(keyOf(item));
    if (queue === undefined) queues.set(keyOf(item), [item]);
    else queue.push(item);
  }
  const waiting = [...queues.values()].values();
  const lane = async (): Promise<void> => {
    for (const queue of waiting) for (const item of queue) await work(item);
  };
  const lanes = Array.from({ length: Math.min(atOnce, queues.size) }, lane);
  const ended = await Promise.allSettled(lanes);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
