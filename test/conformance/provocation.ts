import type { Operation } from '../../src/operations/operation.ts';
import type { ErrorCode } from '../../src/vocabulary/error-codes.ts';
import type { Answer } from '../support/v2-client.ts';
import type { ErrorStage } from './error-stage.ts';
import type { Things } from './things.ts';

/** Makes an operation answer with one code, and returns the answer. */
export type Provoke = (scene: Scene, operation: Operation) => Promise<Answer>;

/** What a provocation has to work with. `things` belong to an owner whom provocations share and must leave as they were. */
export interface Scene {
  readonly stage: ErrorStage;
  readonly things: Things;
}

export type Provocations = Readonly<Partial<Record<ErrorCode, Provoke>>>;
