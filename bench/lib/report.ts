import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { table } from '../../src/surfaces/cli/table.ts';
import type { Ratio } from './ratio.ts';

const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const [BEGIN, END] = ['<!-- figures: begin -->', '<!-- figures: end -->'];

export function ratioTable(found: readonly Ratio[]): string {
  return table(
    [
      { title: 'RATIO', align: 'right' },
      { title: 'SPREAD', align: 'right' },
      { title: 'WHAT' },
      { title: 'OURS', align: 'right' },
      { title: 'REFERENCE', align: 'right' },
      { title: 'UNIT' },
      { title: 'OF' },
    ],
    found.map((one) => [
      one.ratio.toFixed(2),
      `${one.lowest.toFixed(2)} to ${one.highest.toFixed(2)}`,
      one.name,
      Math.round(one.ours).toLocaleString('en'),
      Math.round(one.reference).toLocaleString('en'),
      one.unit,
      one.note,
    ]),
  );
}

/** Puts the figures of this run between the marks of docs/benchmarks.md. */
export async function writeReport(
  found: readonly Ratio[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  const lines = [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${machine()}; ` +
      `median and spread of ${rounds} rounds, requests for ${seconds} seconds a side.`,
    '',
    '| Ratio | Spread | What | Ours | Reference | Unit |',
    '|---:|---|---|---:|---:|---|',
    ...found.map(
      (one) =>
        `| **${one.ratio.toFixed(2)}** | ${one.lowest.toFixed(2)} to ${one.highest.toFixed(2)} | ${one.name} (${one.note}) ` +
        `| ${Math.round(one.ours).toLocaleString('en')} | ${Math.round(one.reference).toLocaleString('en')} | ${one.unit} |`,
    ),
  ];
  const page = await readFile(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} lacks the marks ${BEGIN} and ${END}.`);
  await writeFile(PAGE, `${page.slice(0, begin)}${BEGIN}\n${lines.join('\n')}\n${page.slice(end)}`);
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${availableParallelism()} cores of ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}
