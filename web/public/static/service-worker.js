// Answers for the pages of the application while the service cannot be reached. The one thing it keeps is a page that
// says so and contains no one's data. Every other request, and so every answer of the service and every script of the
// application, goes past it: a new release is shown at once, and nothing financial is ever stored. The service fills in
// the two texts below.
const VERSION = '{{offline-page}}';
const PLACES = new Set('{{places}}'.split(' '));

const ROOT = new URL('../', self.location.href);
// Caches belong to the origin, which the application may share with others.
const OWN_CACHES = `tributary-offline ${ROOT.pathname} `;
const CACHE = OWN_CACHES + VERSION;
const OFFLINE = new URL('offline', ROOT).href;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepPage());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method === 'GET' && mode === 'navigate' && isOfApplication(new URL(url)))
    event.respondWith(fetch(event.request).catch(offlinePage));
});

async function keepPage() {
  // Without cookies, so that it is the same for everyone.
  const page = await fetch(OFFLINE, { cache: 'no-store', credentials: 'omit' });
  if (!page.ok) throw new Error(`the page answered ${page.status}`);
  await (await caches.open(CACHE)).put(OFFLINE, page);
}

async function takeOver() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OWN_CACHES) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function offlinePage() {
  return (await caches.match(OFFLINE, { cacheName: CACHE })) ?? Response.error();
}

/** Pages at which people link a bank or sign in are none: their addresses hold secrets, and no other page helps there. */
function isOfApplication({ origin, pathname }) {
  if (origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return false;
  return PLACES.has(`/${pathname.slice(ROOT.pathname.length).split('/')[0]}`);
}
