import { appUrl } from '../../api/app-url.ts';
import { SecretOnce } from '../../parts/copy-text.tsx';
import { EVENT_DESTINATIONS } from '../../text/events.ts';

interface SigningSecretProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onDone: () => void;
}

export function SigningSecret({ title, text, secret, onDone }: SigningSecretProps) {
  const words = EVENT_DESTINATIONS.secret;
  return (
    <SecretOnce
      title={title}
      text={text}
      label={words.label}
      secret={secret}
      done={words.done}
      onDone={onDone}
    >
      <p>
        <a href={appUrl('docs/receiving-events#verify').href} target="_blank" rel="noreferrer">
          {words.guide}
        </a>
      </p>
    </SecretOnce>
  );
}
