import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { LANGUAGE_CODES, LANGUAGES } from '../../../src/vocabulary/languages.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { sharedRecords } from '../api/account-records.ts';
import { appUrl } from '../api/app-url.ts';
import { me, useRecordName } from '../api/me.ts';
import { chooseLanguage } from '../api/page-cookie.ts';
import { LANGUAGE } from '../format/locale.ts';
import { Icon } from '../parts/icon.tsx';
import { SHELL } from '../text/shell.ts';
import { PLACES } from './places.ts';
import { useSwitching } from './switching.ts';

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
        <Records opened={press.opened} />
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
        <Menu.Label>{SHELL.language}</Menu.Label>
        <Menu.RadioGroup value={LANGUAGE}>
          {LANGUAGE_CODES.map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code} onChange={() => chooseLanguage(code)}>
              {LANGUAGES[code]}
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

/** More than a menu has room for; the others are on the page of all. */
const MOST_RECORDS = 8;

/** The other account records of someone who shares several. */
function Records({ opened }: { readonly opened: boolean }) {
  const several = useRecordName() !== null;
  const { data: shown } = useQuery(me);
  const { data = [] } = useQuery({ ...sharedRecords, enabled: several && opened });
  const switchTo = useSwitching();
  if (!several) return null;
  const others = data.filter(({ id }) => id !== shown?.id).slice(0, MOST_RECORDS);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{SHELL.records.switchTo}</Menu.Label>
      {others.map(({ id, label, detail }) => (
        <Menu.Item key={id} closeMenuOnClick={false} onClick={() => switchTo(id)} title={detail}>
          <bdi>{label}</bdi>
        </Menu.Item>
      ))}
      <Menu.Item component="a" href={appUrl('settings/accounts').href}>
        {SHELL.records.all}
      </Menu.Item>
      <Menu.Divider />
    </>
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
