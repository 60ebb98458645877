import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { ExampleRun, FilledExample } from './example-run.ts';

/** Runs each example as a program of its own would run, and writes a line of JSON for it. */
const RUNNER = `
import io, json, sys, urllib.error
class Begun(BaseException):
    pass
class Endless(io.StringIO):
    def write(self, text):
        super().write(text)
        raise Begun
for example in json.load(sys.stdin):
    printed = Endless() if example["endless"] else io.StringIO()
    problem = None
    sys.stdout = printed
    try:
        exec(compile(example["text"], example["id"], "exec"), {"__name__": "__main__"})
    except Begun:
        pass
    except urllib.error.HTTPError as error:
        problem = f"{error}: {error.read().decode()}"
    except Exception as error:
        problem = repr(error)
    finally:
        sys.stdout = sys.__stdout__
    run = {"id": example["id"], "printed": printed.getvalue(), "status": None, "problem": problem}
    print(json.dumps(run))
`;

/** Runs all examples in one process. */
export async function pythonRuns(examples: readonly FilledExample[], key: string): Promise<ExampleRun[]> {
  const python = spawn('python3', ['-c', RUNNER], {
    env: { ...process.env, TRIBUTARY_API_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.end(JSON.stringify(examples));
  const lines = (await text(python.stdout)).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
