import { list, text } from '../kit/json.ts';
import type { VendorErrors } from '../kit/vendor-calls.ts';

/** Errors of Up: HTTP statuses and texts, without codes. */
export const UP_BANK_ERRORS: VendorErrors = {
  read: (body) => {
    const said = list(body, 'errors').map((error) => text(error, 'detail') ?? text(error, 'title'));
    return { codes: [], message: said.find((one) => one !== null) ?? null };
  },
  codes: [],
  situation: (status, { cursor }) => {
    switch (status) {
      case 401:
        // The token is the person's consent: it has expired or was revoked in the app.
        return 'grant_rejected';
      case 400:
        // A later page differs from the first only by its cursor.
        return cursor ? 'stale_cursor' : null;
      case 503:
        return 'server_error';
      default:
        return null;
    }
  },
};
