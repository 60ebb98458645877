import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';

/** The part of WebAssembly used here, which is only in the types of browsers, not in those of Node. */
declare namespace WebAssembly {
  class RuntimeError extends Error {}
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: {
    imports(module: Module): { module: string; name: string; kind: ImportKind }[];
  };
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(pages: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Table {
    constructor(table: { element: 'anyfunc'; initial: number });
    readonly length: number;
  }
  class Global {
    constructor(global: { value: 'i32'; mutable: boolean }, value: number);
    readonly value: number;
  }
  type ImportKind = 'function' | 'table' | 'memory' | 'global' | 'tag';
  type Import = Memory | Table | Global | (() => never);
  type Imports = Record<string, Record<string, Import>>;
  function compile(bytes: Uint8Array): Promise<Module>;
}

const WASM = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
/**
 * V8's optimising compiler takes 600 MB for the SQL parser, one function of 100 kB, and more than 50 MB for each of the
 * other two. Baseline code makes a statement a few microseconds slower
 * (docs/decisions/0016-memory-of-the-embedded-database.md).
 */
const BASELINE_ONLY = ['raw_parser', 'copyObjectImpl', 'nodeRead'];
/** Matches no function, so that nothing compiled under it is ever optimised. */
const OPTIMISE_NOTHING = '--wasm-tier-up-filter=2147483647';
const OPTIMISE_ALL = '--wasm-tier-up-filter=-1';
/** By default V8 optimises functions on several threads at once, each with its own memory. */
const ONE_AT_A_TIME = '--wasm-num-compilation-tasks=1';
/** Each function is checked when it is first called: checking all 9 MB takes as long as compiling what a start calls. */
const CHECK_WHEN_CALLED = '--wasm-lazy-validation';

/**
 * Postgres, compiled so that opening a database takes little memory. For PGlite's option `pgliteWasmModule`.
 *
 * @param brief whether it runs a few statements only, and is not worth optimising
 */
export async function postgresModule(brief = false): Promise<WebAssembly.Module> {
  setFlagsFromString(ONE_AT_A_TIME);
  setFlagsFromString(CHECK_WHEN_CALLED);
  const module = await WebAssembly.compile(await readFile(WASM));
  if (brief) {
    setFlagsFromString(OPTIMISE_NOTHING);
    return module;
  }
  const { exports } = new WebAssembly.Instance(module, stubs(module));
  setFlagsFromString(OPTIMISE_NOTHING);
  try {
    for (const name of BASELINE_ONLY) compileByCalling(exports[name]);
  } finally {
    setFlagsFromString(OPTIMISE_ALL);
  }
  return module;
}

/**
 * V8 compiles a function when it is first called, and the code belongs to the module and so to all its instances. In an
 * instance with empty memory, each of these functions returns or traps at once.
 */
function compileByCalling(called: unknown): void {
  if (typeof called !== 'function') return;
  try {
    called(0, 0);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  }
}

/** Empty stubs for everything that the module imports. */
function stubs(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module))
    imports[space] = { ...imports[space], [name]: stub(kind, name) };
  return imports;
}

function stub(kind: WebAssembly.ImportKind, name: string): WebAssembly.Import {
  switch (kind) {
    case 'memory':
      return new WebAssembly.Memory({ initial: 2048, maximum: 32_768 });
    case 'table':
      return new WebAssembly.Table({ element: 'anyfunc', initial: 20_000 });
    case 'global':
      return new WebAssembly.Global({ value: 'i32', mutable: !/^__(memory|table)_base$/.test(name) }, 1024);
    default:
      return () => {
        throw new WebAssembly.RuntimeError(`${name} is not there`);
      };
  }
}
