import { shellQuoted } from '../../../../src/vocabulary/description/examples.ts';
import { CURRENT_RELEASE } from '../../../../src/vocabulary/service-version.ts';
import { appUrl } from '../../api/app-url.ts';
import secretClasses from '../../parts/copy-text.module.css';
import { CopyText, SecretOnce } from '../../parts/copy-text.tsx';
import { API_KEYS } from '../../text/api-keys.ts';

interface ApiKeySecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** A new key, and a command that tries it. */
export function ApiKeySecret({ title, secret, onDone }: ApiKeySecretProps) {
  const words = API_KEYS.secret;
  const command = [
    `curl ${shellQuoted(appUrl('v2/me').href)}`,
    `--header ${shellQuoted(`Authorization: Bearer ${secret}`)}`,
    `--header ${shellQuoted(`Service-Version: ${CURRENT_RELEASE}`)}`,
  ].join(' \\\n  ');
  return (
    <SecretOnce
      title={title}
      text={words.once}
      label={words.secret}
      secret={secret}
      done={words.done}
      onDone={onDone}
    >
      <div>
        <p className={secretClasses.label}>{words.try}</p>
        <CopyText label={words.tryLabel} text={command} />
      </div>
    </SecretOnce>
  );
}
