import { CopyText } from '../../parts/copy-text.tsx';
import { AGENTS } from '../../text/agents.ts';
import classes from '../developer/developer.module.css';
import { AGENT_SETUPS, type Agent } from './agent-setups.ts';

/** What to do in the agent, with the command or file to copy below the step that asks for it. */
export function AgentSteps({ agent, url }: { readonly agent: Agent; readonly url: string }) {
  const { signedIn } = AGENT_SETUPS[agent];
  const note = AGENTS.notes[agent];
  return (
    <>
      <ol className={classes.steps}>
        {AGENTS.steps[agent].map((step, at) => (
          <li key={step}>
            {step}
            {signedIn !== null && at === 0 ? (
              <CopyText label={AGENTS.configuration(AGENTS.agents[agent])} text={signedIn(url)} />
            ) : null}
          </li>
        ))}
      </ol>
      <p className={classes.meaning}>{AGENTS.oauth}</p>
      {note === null ? null : <p className={classes.meaning}>{note}</p>}
    </>
  );
}
