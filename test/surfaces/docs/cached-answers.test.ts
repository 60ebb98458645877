import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

interface Raw {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** An answer as it is on the line: nothing decodes it. */
function raw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .once('error', reject)
      .end();
  });
}

const description = (headers?: Record<string, string>) => raw(`${service.url}/v2/openapi.json`, headers);

describe('the description', () => {
  test('comes in the encoding that the caller takes, the smallest of several', async () => {
    const plain = await description();
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;
    const cases = [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const;
    for (const [accepted, encoding] of cases) {
      const { headers, body } = await description({ 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], encoding, accepted);
      assert.deepEqual(decoders[encoding](body), plain.body);
      assert.ok(body.length < plain.body.length / 5, `${body.length} of ${plain.body.length} bytes`);
    }
    for (const accepted of ['identity', 'zstd', 'gzip;q=0', '']) {
      const { headers, body } = await description({ 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], undefined, accepted);
      assert.deepEqual(body, plain.body);
    }
    assert.equal(plain.headers.vary, 'accept-encoding');
  });

  test('is not sent again to who has it, in whichever encoding', async () => {
    const tags = new Set<string>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { headers } = await description({ 'accept-encoding': accepted });
      const tag = String(headers.etag);
      tags.add(tag);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await description({ 'accept-encoding': 'gzip', 'if-none-match': known });
        assert.deepEqual([again.status, again.body.length], [304, 0]);
      }
    }
    assert.equal(tags.size, 3);
    assert.equal((await description({ 'if-none-match': '"other"' })).status, 200);
  });
});

describe('the figures', () => {
  test('are served on a listener of their own, and to no one on the other', async () => {
    assert.ok(service.metricsUrl);
    const { status, headers, body } = await raw(service.metricsUrl);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.match(body.toString(), /^# HELP tributary_http_request_seconds /m);
    assert.equal((await raw(`${service.url}/metrics`)).status, 404);
    for (const path of ['/', '/healthz', '/v2/me'])
      assert.equal((await raw(new URL(path, service.metricsUrl).href)).status, 404);
  });

  test('are written once a second, however many ask', async () => {
    const { metrics } = service.app;
    const write = metrics.text.bind(metrics);
    let written = 0;
    metrics.text = () => {
      written += 1;
      return write();
    };
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const { metricsUrl } = service;
    assert.ok(metricsUrl);
    const began = performance.now();
    await Promise.all(Array.from({ length: 16 }, () => raw(metricsUrl)));
    assert.ok(written >= 1 && written <= 1 + (performance.now() - began) / 1_000, `${written} times`);
    metrics.text = write;
  });

  test('are not served where they are switched off', async () => {
    const quiet = await startService({ METRICS_PORT: 'off' });
    assert.equal(quiet.metricsUrl, null);
    await quiet.close();
  });
});
