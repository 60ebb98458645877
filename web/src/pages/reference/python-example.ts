import type { SampleRequest } from './sample-request.ts';

/** The request as a program for Python 3, with its standard library alone. */
export function pythonExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
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
    ...ANSWERS[answer],
  ].join('\n');
}

const ANSWERS = {
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
