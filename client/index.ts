// Entry of `tenantry/client`, the library for a tenant's application in browsers and Node.

export type { AccountCalls, DeletedUser, UserChanges } from './auth/account.ts'
export type { AuthClient, PageStart, SessionCalls, Subscription } from './auth/client.ts'
export { AuthError, type LocalErrorCode, type Result } from './auth/errors.ts'
export type { AuthEvent, AuthListener, SessionEvent } from './auth/events.ts'
export type { Enrolment, MfaCalls } from './auth/mfa.ts'
export type { Factor, Session, User } from './auth/session.ts'
export type {
  NotSignedIn,
  OtpTarget,
  OwedFactor,
  SecondStepOwed,
  Sent,
  SignedIn,
  SignInCalls,
  SignInResult,
} from './auth/sign-in.ts'
export {
  type Client,
  type ClientOptions,
  createClient,
  type DataClient,
  type DeclaredTable,
  type DeclaredView,
  type ProjectSchema,
  type RealtimeToken,
  type UndeclaredSchema,
} from './create-client.ts'
export type { TextStorage } from './text-storage.ts'
