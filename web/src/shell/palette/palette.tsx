import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { focusReturn } from '../../parts/focus-return.ts';
import { Icon } from '../../parts/icon.tsx';
import { laterPart } from '../../parts/later-part.tsx';
import { PROBLEMS } from '../../text/problems.ts';
import { SHELL } from '../../text/shell.ts';
import classes from './palette.module.css';
import type * as Results from './palette-results.tsx';

const PaletteResults = laterPart<Parameters<typeof Results.PaletteResults>[0]>({
  name: 'palette',
  load: async () => (await import('./palette-results.tsx')).PaletteResults,
  loading: () => null,
});

const IS_MAC = /^(?:Mac|iP)/.test(navigator.platform);

/** Calls back when the keys of the palette are pressed, ⌘K on a Mac and Control K elsewhere, also while one is typing. */
export function usePaletteKeys(onPress: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, shiftKey, isComposing } = event;
      const isAlone = (IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
      if (event.defaultPrevented || isComposing || !isAlone || key.toLowerCase() !== 'k') return;
      // A question that is open is answered first.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onPress]);
}

/** Opens the palette, and says by which keys it opens too. */
export function PaletteButton({ onPress }: { readonly onPress: () => void }) {
  const { button, shortcut, shortcuts } = SHELL.palette;
  return (
    <UnstyledButton
      className={classes.button}
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcuts}
      onClick={onPress}
      onPointerEnter={PaletteResults.preload}
      onFocus={PaletteResults.preload}
    >
      <Icon name="search" />
      <span className={classes.buttonName}>{button}</span>
      <span className={classes.shortcut} aria-hidden="true">
        {shortcut(IS_MAC)}
      </span>
    </UnstyledButton>
  );
}

interface PaletteProps {
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/**
 * The search through everything. The field is there at once and keeps what is typed; what it finds is loaded when it is
 * first opened.
 */
export function Palette({ onKeys, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const onKey = useRef<((event: KeyboardEvent) => void) | null>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [asked] = useState(focusReturn);
  const list = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      // Where nothing had the focus, a page that is opened takes it only from something.
      if (asked.opener === null) document.querySelector('main')?.focus({ preventScroll: true });
      else asked.giveBack();
    };
  }, [asked]);
  useEffect(() => closeBeside(dialog.current, onClose), [onClose]);
  const { title, placeholder } = SHELL.palette;
  return (
    <dialog className={classes.palette} ref={dialog} aria-label={title} onClose={onClose}>
      <div className={classes.inside}>
        <div className={classes.field}>
          <Icon name="search" />
          <input
            className={classes.input}
            type="text"
            role="combobox"
            aria-label={title}
            aria-expanded={active !== null}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={active ?? undefined}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={MOST_CHARACTERS}
            placeholder={placeholder}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (!event.nativeEvent.isComposing) onKey.current?.(event);
            }}
          />
          <UnstyledButton className={classes.close} aria-label={PROBLEMS.close} onClick={onClose}>
            <Icon name="close" />
          </UnstyledButton>
        </div>
        <div className={classes.results}>
          <PaletteResults
            text={text}
            list={list}
            onKey={onKey}
            onActive={setActive}
            onKeys={onKeys}
            onClose={onClose}
          />
        </div>
      </div>
    </dialog>
  );
}

/** Closes a dialog by a click beside it, which begins there as well: a selection of text may only end there. */
function closeBeside(dialog: HTMLDialogElement | null, onClose: () => void): () => void {
  let beganBeside = false;
  const down = ({ target }: Event) => {
    beganBeside = target === dialog;
  };
  const click = ({ target }: Event) => {
    if (beganBeside && target === dialog) onClose();
  };
  dialog?.addEventListener('pointerdown', down);
  dialog?.addEventListener('click', click);
  return () => {
    dialog?.removeEventListener('pointerdown', down);
    dialog?.removeEventListener('click', click);
  };
}

/** As many as the search of transactions takes. */
const MOST_CHARACTERS = 200;
