import type { SampleRequest } from './sample-request.ts';

/** The languages in which each operation has an example, and how one is written. */
export const EXAMPLES = {
  curl: { name: 'curl', write: curlExample },
  typescript: { name: 'TypeScript', write: typescriptExample },
  python: { name: 'Python', write: pythonExample },
} as const satisfies Record<string, { name: string; write: (request: SampleRequest) => string }>;

export type Language = keyof typeof EXAMPLES;

/**
 * The request as a command of a POSIX shell. The key comes from the environment, so that it is not in the shell's
 * history.
 */
function curlExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
  return [
    `curl ${answer === 'stream' ? '--no-buffer ' : ''}${shellQuoted(url)}`,
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    '--header "Authorization: Bearer $TRIBUTARY_API_KEY"',
    `--header ${shellQuoted(`Service-Version: ${release}`)}`,
    ...(idempotent ? ['--header "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [
          `--header ${shellQuoted('Content-Type: application/json')}`,
          `--data ${shellQuoted(JSON.stringify(body, null, 2))}`,
        ]),
  ].join(' \\\n  ');
}

/** Text as one word of a shell, whatever it contains. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The request as a module for Node, Deno or Bun, without a library. */
function typescriptExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
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
    ...TYPESCRIPT_ANSWERS[answer],
  ].join('\n');
}

const TYPESCRIPT_ANSWERS = {
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

/** The request as a program for Python 3, using only its standard library. */
function pythonExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
  return [
    ...(answer === 'json' || body !== undefined ? ['import json'] : []),
    'import os',
    ...(idempotent ? ['import uuid'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method=${JSON.stringify(method)},`]),
    '    headers={',
    '        "Authorization": f"Bearer {os.environ[\'TRIBUTARY_API_KEY\']}",',
    `        "Service-Version": ${JSON.stringify(release)},`,
    ...(idempotent ? ['        "Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, '    ')}).encode(),`]),
    ')',
    'with urlopen(request) as response:',
    ...PYTHON_ANSWERS[answer],
  ].join('\n');
}

const PYTHON_ANSWERS = {
  json: ['    print(json.dumps(json.load(response), indent=2))'],
  file: ['    print(response.read().decode())'],
  stream: ['    for line in response:', '        print(line.decode().rstrip())'],
} as const satisfies Record<SampleRequest['answer'], readonly string[]>;

/** A JSON value as Python writes it. Text in JSON is text in Python too. */
function literal(value: unknown, margin: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${margin}    `;
  if (Array.isArray(value))
    return lines(
      '[',
      value.map((one) => literal(one, inner)),
      ']',
      margin,
    );
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${literal(member, inner)}`,
  );
  return lines('{', members, '}', margin);
}

function lines(open: string, parts: readonly string[], close: string, margin: string): string {
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${margin}    ${part},`).join('\n')}\n${margin}${close}`;
}
