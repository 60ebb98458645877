import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { appUrl } from '../api/app-url.ts';
import { me } from '../api/me.ts';
import { Icon } from '../parts/icon.tsx';
import { PATHS } from '../routing/paths.ts';
import { SHELL } from '../text/shell.ts';
import classes from './shell.module.css';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Who is signed in, how the application looks, and the way out. */
export function AccountMenu() {
  const { data } = useQuery(me);
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.account}>
          <Icon name="person" />
          <span className={classes.accountName}>{SHELL.account}</span>
        </UnstyledButton>
      </Menu.Target>
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
        <Menu.Item component={Link} to={PATHS.reference}>
          {SHELL.reference}
        </Menu.Item>
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
