import type { FastifyInstance } from 'fastify';
import { LOGO_FILE, LOGOS_PATH } from '../../vocabulary/logo-url.ts';

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  // The path determines the picture.
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** `GET /logos/{initials}-{hue}.svg`: pictures for institutions without a logo of their own (docs/resources.md#institution). */
export function registerLogos(server: FastifyInstance): void {
  server.get<{ Params: { file: string } }>(`${LOGOS_PATH}/:file`, async (request, reply) => {
    // Only letters and digits, so it cannot contain markup.
    const [, letters, hue] = LOGO_FILE.exec(request.params.file) ?? [];
    if (letters === undefined || Number(hue) >= 360) return reply.callNotFound();
    return reply
      .headers(HEADERS)
      .send(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" rx="12" fill="hsl(${hue}, 45%, 36%)"/><text x="32" y="32" dominant-baseline="central" text-anchor="middle" font-family="system-ui, sans-serif" font-size="28" font-weight="600" fill="#fff">${letters}</text></svg>`,
      );
  });
}
