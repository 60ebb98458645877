import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication, Caller } from '../../features/authentication.ts';
import { requireGate } from '../../features/plan-gates.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { CURRENT_RELEASE, judgeVersion, VERSION_HEADER } from '../../vocabulary/service-version.ts';
import type { Operation } from './operation.ts';

/** What the steps before the body decide about a request. */
export interface Admission {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
}

/** One check, in the order callers meet them. It raises the error a caller gets, or lets the request on. */
export type Step = (admission: Admission) => void | Promise<void>;

/** Takes the steps in order. A promise only from the first step on that needs one: most requests never wait here. */
export function takeSteps(steps: readonly Step[], admission: Admission, from = 0): void | Promise<void> {
  for (let at = from; at < steps.length; at++) {
    const waiting = steps[at]?.(admission);
    if (waiting !== undefined) return waiting.then(() => takeSteps(steps, admission, at + 1));
  }
}

/** The caller behind the key; before everything, because nothing else may be told to a stranger. */
export function authenticate(
  request: FastifyRequest,
  authentication: Authentication,
): Caller | Promise<Caller> {
  return authentication.authenticate(request.headers.authorization, request.ip);
}

/** Raises `version_required`, `version_invalid`, `version_unknown` (SPEC, Versioning 2); echoes the release. */
export const checkVersion: Step = ({ request, reply }) => {
  const verdict = judgeVersion(versionOf(request));
  if (verdict !== null) {
    throw new ServiceError(verdict, {
      param: 'Service-Version',
      ...(verdict === 'version_unknown' && {
        message: `This release is not published; the newest is ${CURRENT_RELEASE}.`,
      }),
    });
  }
  echoVersion(request, reply);
};

/** Shows the caller the release they asked with, where it is one of ours; also on refusals that come before its check. */
export function echoVersion(request: FastifyRequest, reply: FastifyReply): void {
  const sent = versionOf(request);
  if (judgeVersion(sent) === null) reply.header(VERSION_HEADER, sent);
}

function versionOf(request: FastifyRequest): string | undefined {
  const header = request.headers[VERSION_HEADER];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Raises `plan_upgrade_required` (SPEC, Authentication 8). */
export function checkPlan(clock: Clock): Step {
  return ({ caller }) => {
    requireGate('api_access', caller.accountRecord, clock.now());
  };
}

/** Raises the code of the gate the operation stands behind (PLAN_GATES). */
export function checkGate(clock: Clock): Step {
  return ({ operation, caller }) => {
    if (operation.planGate !== null) requireGate(operation.planGate, caller.accountRecord, clock.now());
  };
}

/** Raises `insufficient_scope`, naming the scope. */
export const checkScope: Step = ({ operation, caller }) => {
  const { scope, alsoScopes } = operation;
  if (scope !== null && !caller.scopes.has(scope)) throw insufficient(scope);
  for (const also of alsoScopes) if (!caller.scopes.has(also)) throw insufficient(also);
};

function insufficient(scope: Scope): ServiceError {
  return new ServiceError('insufficient_scope', {
    message: `This operation needs the scope ${scope}, which the key lacks.`,
  });
}
