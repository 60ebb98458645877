export type { CallOptions } from './calls.ts';
export {
  ApiError,
  AuthenticationError,
  IdempotencyError,
  InvalidRequestError,
  mayPass,
  PermissionError,
  RateLimitError,
  ServiceFailure,
  TributaryError,
  UnreachableError,
  UpstreamError,
  WebhookSignatureError,
} from './errors.ts';
export { type ErrorCode, type ErrorType, RELEASE } from './generated/error-codes.ts';
export type * from './generated/types.ts';
export type { List, Page, SetAsideRow } from './list.ts';
export type { ClientOptions, Exchange } from './requests.ts';
export { jsonLines, type ServerSent, serverSentEvents } from './streams.ts';
export { Tributary } from './tributary.ts';
export { type Delivery, type VerifiedDelivery, verifyWebhook } from './webhooks.ts';
