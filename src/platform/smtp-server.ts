/** A mail server as `SMTP_URL` names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without it STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** A password is never sent in clear, except on this machine. */
  readonly requireTls: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** The server behind `smtp://` or `smtps://[user:password@]host[:port]`; null for every other text. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  const port = url === null ? undefined : PORTS[url.protocol];
  if (url === null || port === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname)) return null;
  if (url.search !== '' || url.hash !== '') return null;
  const auth = credentials(url);
  if (auth === undefined) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth,
    requireTls: auth !== null && url.protocol === 'smtp:' && !LOOPBACK.test(url.hostname),
  };
}

/** Undefined where an escape is broken or one of the two is missing. */
function credentials({ username, password }: URL): SmtpServer['auth'] | undefined {
  if (username === '' && password === '') return null;
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    return user === '' || pass === '' ? undefined : { user, pass };
  } catch {
    return undefined;
  }
}
