import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { me } from '../api/me.ts';
import { Icon } from '../parts/icon.tsx';
import { SHELL } from '../text/shell.ts';
import { PLACES } from './places.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;
const BEHIND_MORE = PLACES.flat().filter(({ onPhone }) => !onPhone);

/** The button of a menu, and what was done to it before the menu was there. */
export interface LaterButton {
  readonly className: string;
  readonly children: ReactNode;
  readonly wasPressed: RefObject<boolean>;
  readonly hadFocus: RefObject<boolean>;
}

/** The button of a menu in place of the one that was shown while the menu was loading. */
function Target({ button }: { readonly button: LaterButton }) {
  const ref = useRef<HTMLButtonElement>(null);
  const { hadFocus } = button;
  useEffect(() => {
    if (hadFocus.current) ref.current?.focus();
  }, [hadFocus]);
  return (
    <Menu.Target>
      <UnstyledButton ref={ref} className={button.className}>
        {button.children}
      </UnstyledButton>
    </Menu.Target>
  );
}

/** Opens the menu after its button has the focus, which it gives back when it closes. */
function useEarlyPress({ wasPressed }: LaterButton) {
  const [opened, onChange] = useState(false);
  useEffect(() => {
    if (wasPressed.current) onChange(true);
    wasPressed.current = false;
  }, [wasPressed]);
  return { opened, onChange };
}

interface AccountMenuProps {
  readonly button: LaterButton;
  readonly onKeys: () => void;
}

/** Who is signed in, how the application looks, and the way out. */
export function AccountMenu({ button, onKeys }: AccountMenuProps) {
  const press = useEarlyPress(button);
  const { data } = useQuery(me);
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu position="bottom-end" width={220} {...press}>
      <Target button={button} />
      <Menu.Dropdown>
        <Menu.Label>{data === undefined ? SHELL.account : SHELL.plan[data.plan]}</Menu.Label>
        <Menu.Item component="a" href={appUrl('settings').href}>
          {SHELL.settings}
        </Menu.Item>
        <Menu.Item component="a" href={appUrl('settings/security').href}>
          {SHELL.security}
        </Menu.Item>
        <Menu.Item component="a" href={appUrl('docs/guides').href}>
          {SHELL.guides}
        </Menu.Item>
        <Menu.Item component={Link} to={APP_PATHS.reference}>
          {SHELL.reference}
        </Menu.Item>
        <Menu.Item onClick={onKeys}>{SHELL.keys.title}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{SHELL.theme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme}>
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} onChange={() => setColorScheme(scheme)}>
              {SHELL.themes[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <form method="post" action={appUrl('sign-out').href}>
          <Menu.Item type="submit" closeMenuOnClick={false}>
            {SHELL.signOut}
          </Menu.Item>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The places that have no room of their own in the navigation of a phone. */
export function MoreMenu({ button }: { readonly button: LaterButton }) {
  const press = useEarlyPress(button);
  return (
    <Menu position="top-end" width={220} {...press}>
      <Target button={button} />
      <Menu.Dropdown>
        {BEHIND_MORE.map(({ to, icon, name }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon name={icon} />}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Item component="a" href={appUrl('settings').href} leftSection={<Icon name="gear" />}>
          {SHELL.settings}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
