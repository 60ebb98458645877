/** The end of the day on which transactions of a whole connection ended, as an HTTP date (RFC 8594). */
export const ACCOUNT_ID_SUNSET = 'Tue, 30 Jun 2026 23:59:59 GMT';
