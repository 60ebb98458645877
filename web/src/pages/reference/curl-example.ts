import type { SampleRequest } from './sample-request.ts';

/** The request as a command of a POSIX shell. The key comes from the environment, so that it is in no history. */
export function curlExample({ method, url, release, body, idempotent, answer }: SampleRequest): string {
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

/** Text as one word of a shell, whatever it holds. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
