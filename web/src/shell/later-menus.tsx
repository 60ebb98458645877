import { UnstyledButton } from '@mantine/core';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { appUrl } from '../api/app-url.ts';
import { laterPart } from '../parts/later-part.tsx';
import { SHELL } from '../text/shell.ts';
import type * as Menus from './menus.tsx';
import type { LaterButton } from './menus.tsx';

interface MenuProps {
  readonly button: LaterButton;
}

/**
 * A menu whose script, and with it the positioning of all menus, is loaded after the first page: a tenth of what a phone
 * would otherwise wait for. Until then there is its button, which remembers that it was pressed.
 */
const later = <P extends MenuProps>(name: string, load: Parameters<typeof laterPart<P>>[0]['load']) =>
  laterPart<P>({
    name,
    load,
    loading: ({ button }) => <EarlyButton {...button} />,
    // Settings can be reached without the menu.
    failed: () => <a href={appUrl('settings').href}>{SHELL.settings}</a>,
  });

function EarlyButton({ className, children, wasPressed, hadFocus }: LaterButton) {
  return (
    <UnstyledButton
      className={className}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => {
        wasPressed.current = true;
      }}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
    >
      {children}
    </UnstyledButton>
  );
}

export const AccountMenu = later<ComponentProps<typeof Menus.AccountMenu>>(
  'account-menu',
  async () => (await import('./menus.tsx')).AccountMenu,
);

export const MoreMenu = later<MenuProps>('more-menu', async () => (await import('./menus.tsx')).MoreMenu);

/** What a button remembers until its menu is there. */
export function useLaterButton(className: string, children: ReactNode): LaterButton {
  const wasPressed = useRef(false);
  const hadFocus = useRef(false);
  return { className, children, wasPressed, hadFocus };
}
