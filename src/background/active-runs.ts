import { mayTake } from '../platform/fair-slots.ts';
import type { OwnerId } from '../vocabulary/ids.ts';

/** One account record has at most as many runs in progress as there are slots free: alone, half of them. */
const SHARE = 1;

/** A run this worker is working on. Moments are epoch milliseconds. */
export interface ActiveRun {
  readonly owner: OwnerId;
  readonly since: number;
  /** When it first delivered something that no earlier attempt had begun: until then it caught up with them. */
  progressedAt: number | null;
  /** Aborted to ask that it make room at its next chunk. */
  readonly yielding: AbortController;
}

/** The runs in progress of one worker, and who of them makes room when others wait. */
export class ActiveRuns {
  readonly #slots: number;
  readonly #sliceMs: number;
  readonly #runs = new Set<ActiveRun>();

  constructor(bounds: { readonly slots: number; readonly sliceMs: number }) {
    this.#slots = bounds.slots;
    this.#sliceMs = bounds.sliceMs;
  }

  get full(): boolean {
    return this.#runs.size >= this.#slots;
  }

  add(run: ActiveRun): void {
    this.#runs.add(run);
  }

  delete(run: ActiveRun): void {
    this.#runs.delete(run);
  }

  /** Owners that may not have another run in progress now. */
  get atTheirShare(): readonly OwnerId[] {
    const free = this.#slots - this.#runs.size;
    return [...countOf(this.#runs)].filter(([, held]) => !mayTake(held, free, SHARE)).map(([owner]) => owner);
  }

  /** Whether there is any run that could be asked to make room at `now`. */
  anyPliable(now: number): boolean {
    return [...this.#runs].some((run) => this.#isPliable(run, now)) || this.#leastLoss(now) !== null;
  }

  /**
   * Asks runs to make room for those that wait, one for each that does: a run of the same owner, or of an owner who has
   * more in progress. Of several the one that has been in progress longest. For an owner who has none, where there is no such
   * run, the one whose work is the least loss.
   */
  makeRoom(waiting: readonly { readonly owner: OwnerId; readonly runs: number }[], now: number): void {
    const held = countOf(this.#staying());
    const gain = (owner: OwnerId): void => void held.set(owner, (held.get(owner) ?? 0) + 1);
    let asked = this.#runs.size - this.#staying().length;
    // In the order in which they will be served: who has the fewest comes first.
    const order = waiting.toSorted((a, b) => (held.get(a.owner) ?? 0) - (held.get(b.owner) ?? 0));
    for (const { owner, runs } of order) {
      for (let one = 0; one < runs; one++) {
        if (asked > 0) {
          // Somebody is on the way out already and will serve this one.
          asked -= 1;
          gain(owner);
          continue;
        }
        const pliable = [...this.#runs].filter(
          (run) =>
            this.#isPliable(run, now) &&
            (run.owner === owner || (held.get(run.owner) ?? 0) > (held.get(owner) ?? 0)),
        );
        const [longest] = pliable.toSorted((a, b) => a.since - b.since);
        const chosen = longest ?? (held.has(owner) ? null : this.#leastLoss(now));
        if (chosen === null) break;
        chosen.yielding.abort();
        held.set(chosen.owner, (held.get(chosen.owner) ?? 1) - 1);
        gain(owner);
      }
    }
  }

  /**
   * A run reads its source from the beginning each time it is taken. So it makes room only after it has worked on what
   * is new for as long as it took to catch up: then catching up never takes more than half of its time, and its parts
   * grow with what it has to pass over.
   */
  #isPliable({ since, progressedAt, yielding }: ActiveRun, now: number): boolean {
    if (yielding.signal.aborted || progressedAt === null || !this.#hadSlice(since, now)) return false;
    return now < progressedAt || now - progressedAt >= progressedAt - since;
  }

  /**
   * The youngest run of the owner with the most in progress, though all it did will have to be done again: a few owners with
   * slow banks would otherwise keep everybody else waiting until their runs are over. Nobody loses the last one, and the
   * oldest goes on, so each owner's runs come to their end.
   */
  #leastLoss(now: number): ActiveRun | null {
    if (!this.full) return null;
    const staying = this.#staying();
    const held = countOf(staying);
    const most = Math.max(0, ...held.values());
    const [youngest] = staying
      .filter(({ owner, since }) => most > 1 && held.get(owner) === most && this.#hadSlice(since, now))
      .toSorted((a, b) => b.since - a.since);
    return youngest ?? null;
  }

  /** A clock that was set back must not keep others waiting until it has caught up. */
  #hadSlice(since: number, now: number): boolean {
    return now < since || now - since >= this.#sliceMs;
  }

  #staying(): readonly ActiveRun[] {
    return [...this.#runs].filter(({ yielding }) => !yielding.signal.aborted);
  }
}

function countOf(runs: Iterable<ActiveRun>): Map<OwnerId, number> {
  const held = new Map<OwnerId, number>();
  for (const { owner } of runs) held.set(owner, (held.get(owner) ?? 0) + 1);
  return held;
}
