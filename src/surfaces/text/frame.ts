/** What stands around every page. */
export const FRAME = {
  product: 'Tributary',
  back: 'Back to the application',
  settings: 'Settings',
} as const;
