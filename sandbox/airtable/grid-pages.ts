import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { basesPage, gridPage, missingPage } from './grid-html.ts';
import type { SimulatedTable } from './table.ts';
import type { SimulatedBase, Workspace } from './workspace.ts';

const ROWS_A_PAGE = 200;
/** What is shown of a text at most; less where a page would grow larger than browsers are given. */
const CUTS = [200, 60, 20];
const PAGE_BYTES = 240 * 1024;

/** What a person sees of the bases: their tables as grids, newest records last. */
export class GridPages {
  readonly #workspace: Workspace;
  readonly #pagesUrl: () => string;

  /** @param pagesUrl where browsers reach the pages, without a trailing slash */
  constructor(workspace: Workspace, pagesUrl: () => string) {
    this.#workspace = workspace;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /bases` */
  list(bases: readonly SimulatedBase[]): Reply {
    return htmlReply(200, basesPage(this.#path(), bases));
  }

  /** `GET /{base}`: its first table. */
  base({ params, query }: SimulatedRequest): Reply {
    const base = this.#workspace.base(params.base ?? '');
    const [table] = base?.tables ?? [];
    return base === null ? this.#missing() : this.#grid(base, table ?? null, query);
  }

  /** `GET /{base}/{table}` */
  table({ params, query }: SimulatedRequest): Reply {
    const base = this.#workspace.base(params.base ?? '');
    const table = base?.tables.find(({ id }) => id === params.table);
    return base === null || table === undefined ? this.#missing() : this.#grid(base, table, query);
  }

  #grid(base: SimulatedBase, table: SimulatedTable | null, query: URLSearchParams): Reply {
    const pages = Math.max(1, Math.ceil((table?.size ?? 0) / ROWS_A_PAGE));
    const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page') ?? '1')) || 1));
    const begin = (page - 1) * ROWS_A_PAGE;
    const records = [...(table?.records ?? [])].slice(begin, begin + ROWS_A_PAGE);
    const drawn = (cut: number): string =>
      gridPage({ path: this.#path(), base, table, records, begin, page, pages, cut });
    const sizes = CUTS.map(drawn);
    const html = sizes.find((one) => Buffer.byteLength(one) <= PAGE_BYTES) ?? sizes.at(-1) ?? '';
    return htmlReply(200, html);
  }

  #missing(): Reply {
    return htmlReply(404, missingPage(this.#path()));
  }

  #path(): string {
    return new URL(this.#pagesUrl()).pathname.replace(/\/$/, '');
  }
}
