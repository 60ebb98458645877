import type { Static, TObject } from 'typebox';
import { JsonText } from '../operation-request.ts';
import { closed, parameterParser } from '../parameters.ts';
import type { V1Answer, V1Endpoint } from '../v1/endpoint.ts';
import { withoutContext } from './context-argument.ts';
import { orInvalidArguments } from './invalid-arguments.ts';
import { plainObjectSchema } from './json-schema.ts';
import {
  type Arguments,
  answerOf,
  isStructured,
  type Tool,
  type ToolAnswer,
  type ToolContext,
} from './tool.ts';

interface Definition<I extends TObject> extends Pick<Tool, 'name' | 'title' | 'description' | 'agentScopes'> {
  readonly endpoint: V1Endpoint;
  readonly input: I;
  /** The parameters of the endpoint. */
  readonly query: (args: Static<I>) => Arguments;
  /** Answers in place of the endpoint; null leaves the call to it. */
  readonly instead?: (args: Static<I>, context: ToolContext) => Promise<V1Answer<unknown>> | null;
}

/** Builds a tool that keeps v1's shape, behind v1's gates, from the endpoint that answers it. */
export function v1Tool<I extends TObject>(definition: Definition<I>): Tool {
  const { endpoint, instead, query, input, ...rest } = definition;
  const { tier, scope, orScopes, alsoScopes, planGate } = endpoint;
  const parse = parameterParser(closed(input));
  return {
    ...rest,
    tier,
    scope,
    orScopes,
    alsoScopes,
    planGate,
    longest: null,
    input: plainObjectSchema(closed(input)),
    output: plainObjectSchema(endpoint.response),
    ofV1: true,
    hints: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tier !== 'cheap',
    },
    call: async (sent, context) => {
      try {
        const args = parse(withoutContext(sent), context.services.limits);
        return written(await (instead?.(args, context) ?? endpoint.answer(query(args), context)));
      } catch (error) {
        throw orInvalidArguments(error);
      }
    },
  };
}

function written({ body }: V1Answer<unknown>): ToolAnswer {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  const structured: unknown = body instanceof JsonText ? JSON.parse(text) : body;
  if (!isStructured(structured)) throw new TypeError('v1 answered something that is no object');
  return answerOf(structured, text);
}
