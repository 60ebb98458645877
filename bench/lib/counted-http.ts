import { OutgoingHttp, type OutgoingRequest } from '../../src/platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../src/platform/outgoing-response.ts';

/** The calls that were made. */
export interface OutgoingCounts {
  readonly reads: number;
  readonly writes: number;
  /** Of the bodies of the writes. */
  readonly bytes: number;
}

const NONE: OutgoingCounts = { reads: 0, writes: 0, bytes: 0 };
/** Suffixes of the paths at which a `POST` reads. */
const READING = /(\/query|\/search|\/listRecords|:batchGetByDataFilter)$/;

/** Counts outgoing calls. */
export class CountedHttp extends OutgoingHttp {
  #counts = NONE;

  override request(asked: OutgoingRequest): Promise<OutgoingResponse> {
    const { reads, writes, bytes } = this.#counts;
    this.#counts = isRead(asked)
      ? { reads: reads + 1, writes, bytes }
      : { reads, writes: writes + 1, bytes: bytes + Buffer.byteLength(asked.body ?? '') };
    return super.request(asked);
  }

  /** Since the last time. */
  take(): OutgoingCounts {
    const counts = this.#counts;
    this.#counts = NONE;
    return counts;
  }
}

function isRead({ method, url }: OutgoingRequest): boolean {
  return method === 'GET' || READING.test(new URL(url).pathname);
}
