import { useState } from 'react';
import type { SimplefinApp } from '#client';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { api } from '../../api/client.ts';
import { paged } from '../../api/queries.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Check } from '../../parts/fields.tsx';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';

interface ProgramDialogProps {
  readonly title: string;
  /** What it is so far. */
  readonly program: ProgramFields;
  readonly busy: boolean;
  /** Why it was not saved, or null. */
  readonly error: unknown;
  readonly failed: string;
  readonly action?: string;
  readonly onSave: (program: ProgramFields) => void;
  readonly onClose: () => void;
}

/** Asks for a program's name, and what it is sent in which form. */
export function ProgramDialog({ program, onSave, ...dialog }: ProgramDialogProps) {
  const [two_decimals, setTwoDecimals] = useState(program.two_decimals);
  const [leave_out_extra, setLeaveOutExtra] = useState(program.leave_out_extra);
  return (
    <NameDialog
      {...dialog}
      label={SIMPLEFIN.name}
      name={program.name}
      maxLength={FIXED_LIMITS.key_name_characters}
      onSave={(name) => onSave({ name, two_decimals, leave_out_extra })}
    >
      <Check
        label={SIMPLEFIN.twoDecimals.label}
        hint={SIMPLEFIN.twoDecimals.hint}
        checked={two_decimals}
        onChange={setTwoDecimals}
      />
      <Check
        label={SIMPLEFIN.leaveOutExtra.label}
        hint={SIMPLEFIN.leaveOutExtra.hint}
        checked={leave_out_extra}
        onChange={setLeaveOutExtra}
      />
    </NameDialog>
  );
}

interface RevokeDialogProps {
  readonly words: typeof SIMPLEFIN.revokingApp | typeof SIMPLEFIN.revokingToken;
  readonly name: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ words, name, busy, error, onConfirm, onClose }: RevokeDialogProps) {
  return (
    <ConfirmDialog
      title={words.title(name)}
      action={SIMPLEFIN.revoke}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={SIMPLEFIN.failedRevoke(name)} />}
      <p>{words.text}</p>
    </ConfirmDialog>
  );
}

export const simplefinApps = paged(['simplefin_apps', 'pages', {}], (page, options) =>
  api.simplefinApps.list(page, options),
);

export const setupTokens = paged(['simplefin_setup_tokens', 'pages', {}], (page, options) =>
  api.simplefinSetupTokens.list(page, options),
);

/** The settings of a program that a person chooses. */
export type ProgramFields = Pick<SimplefinApp, 'name' | 'two_decimals' | 'leave_out_extra'>;
