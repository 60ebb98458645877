import type { SampleRequest } from './sample-request.ts';

/** The request as a module for Node, Deno or Bun, without a library. */
export function typescriptExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
  return [
    `const response = await fetch(${quoted(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.TRIBUTARY_API_KEY}\`,`,
    `    'Service-Version': ${quoted(release)},`,
    ...(idempotent ? ["    'Idempotency-Key': crypto.randomUUID(),"] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    '});',
    `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`,
    ...ANSWERS[answer],
  ].join('\n');
}

const ANSWERS = {
  json: ['console.log(await response.json());'],
  file: ['console.log(await response.text());'],
  stream: [
    'const decoder = new TextDecoder();',
    'for await (const chunk of response.body ?? []) {',
    '  console.log(decoder.decode(chunk, { stream: true }));',
    '}',
  ],
} as const satisfies Record<SampleRequest['answer'], readonly string[]>;

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** Text as a literal in single quotes. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
