import { VisuallyHidden } from '@mantine/core';

/** Says to those who hear the page what others see happen. */
export function Announcement({ children }: { readonly children: string }) {
  return (
    <VisuallyHidden role="status" aria-live="assertive">
      {children}
    </VisuallyHidden>
  );
}
