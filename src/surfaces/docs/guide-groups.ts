import { GUIDES } from '../text/documentation.ts';

/** Guides about one thing that people want to do. */
interface GuideGroup {
  readonly title: string;
  /** Names of files of `docs/`, without `.md`, in the order in which to read them. */
  readonly pages: readonly string[];
}

/** Every file of `docs/` is in exactly one group; a test compares the two. Those of its folders follow them. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: GUIDES.start,
    pages: [
      'self-hosting',
      'https',
      'troubleshooting',
      'sign-in',
      'several-clients',
      'web',
      'notifications',
      'your-data',
      'sandbox',
      'plans',
    ],
  },
  {
    title: GUIDES.banks,
    pages: [
      'linking',
      'providers',
      'statement-files',
      'categories',
      'balance-signs',
      'exports',
      'provider-failures',
      'bank-misbehaviour',
    ],
  },
  {
    title: GUIDES.syncs,
    pages: [
      'destinations',
      'destination-services',
      'columns',
      'rules',
      'dry-runs',
      'verification',
      'rows-set-aside',
      'sync-engine',
    ],
  },
  {
    title: GUIDES.developers,
    pages: [
      'api-conventions',
      'authentication',
      'resources',
      'errors',
      'scopes',
      'states',
      'events',
      'event-stream',
      'webhooks',
      'receiving-events',
      'mcp',
      'oauth',
      'simplefin',
      'callers',
      'v1',
      'compatibility',
    ],
  },
  {
    title: GUIDES.operate,
    pages: [
      'operator',
      'configuration',
      'command-line',
      'upgrading',
      'limits',
      'stores',
      'high-availability',
      'reliability',
      'background-work',
      'audit-log',
      'benchmarks',
      'scale',
    ],
  },
  { title: GUIDES.extend, pages: ['adding-a-provider', 'adding-a-destination'] },
];

/** The folders of `docs/` whose pages are groups of their own, in the order of their names. */
export const GUIDE_FOLDERS = [
  { folder: 'consoles', title: GUIDES.consoles },
  { folder: 'decisions', title: GUIDES.decisions },
] as const;
