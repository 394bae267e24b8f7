// The public library: exports everything that a test or another program may import.

export type { EmulatorConfig } from './assembly/config.ts'
export { ConfigError } from './assembly/config.ts'
export type { BundleConfig } from './assembly/library/bundle-emulator.ts'
export { connectionSettings, environmentLines } from './assembly/library/connection-settings.ts'
export { createEmulator, type Emulator } from './assembly/library/create-emulator.ts'
export type {
  EmulatorMethods,
  PostgresListenOptions,
  SnapshotOptions,
} from './assembly/library/emulator.ts'
export { listenPostgresNear } from './assembly/library/listen-postgres.ts'
export { type BundleEmulator, openBundle } from './assembly/library/open-bundle.ts'
// The names of earlier releases.
export type {
  EmulatorClock,
  EmulatorClock as PlatformClock,
  EmulatorEvent,
  EmulatorEvent as Observation,
  EventObserver,
  EventObserver as Observer,
  OtherEvent,
} from './assembly/library/public-types.ts'
export type { Actor, Identity, TenantIdentity } from './assembly/testing/actor.ts'
export type { TestHelpers } from './assembly/testing/helpers.ts'
export type { MigrateOptions } from './assembly/testing/migrate.ts'
export { TestingError, type TestingErrorCode } from './assembly/testing/platform.ts'
export type { SqlRow, Tenant, TenantFacts, TenantUsers } from './assembly/testing/tenant.ts'
export type { ChangesFilter, TestChange } from './assembly/testing/tenant-changes.ts'
export type { TenantOptions } from './assembly/testing/tenants.ts'
export type { MessageFilter, TestMailbox, WaitOptions } from './assembly/testing/test-mailbox.ts'
export type { ReadyGroup, ReadyLine, ReadyTenant, ReadyUser } from './contract/addresses.ts'
export type { OpenedBundle } from './contract/bundles.ts'
export type { FixtureCounts, FixtureProblem, FixtureReport } from './contract/fixtures.ts'
export type { MailboxMessage } from './contract/mailbox.ts'
export type {
  MigrationFailure,
  MigrationReport,
  MigrationResult,
  StepSource,
} from './contract/migrations.ts'
export type { ResetAnswer, Snapshot } from './contract/snapshots.ts'
export type { NewProjectUser, ProjectUser } from './contract/users.ts'
export { EmulatorError, type ErrorFacts } from './core/errors.ts'
export type { JsonObject, JsonValue } from './core/json.ts'
export type {
  ChangeJudged,
  InternalFailure,
  MessageSent,
  RequestFacts,
  RequestFinished,
  ServiceName,
  SubscriberVerdict,
} from './core/observation.ts'
export type { PlatformTime } from './core/platform-clock.ts'
export type { EpochMillis } from './core/time.ts'
export type { ListenOptions } from './server/http.ts'
export { ListenError, type ListenErrorCode, type Listening } from './server/listening.ts'
export { BundleError, type BundleErrorCode } from './workflow/bundles/bundle-error.ts'
export { findApplicationFolder } from './workflow/fixtures/read/application-folder.ts'
export { type DefinedFixture, defineFixture } from './workflow/fixtures/read/define-fixture.ts'
export { FixtureError } from './workflow/fixtures/read/fixture-error.ts'
export type { FixtureInput } from './workflow/fixtures/read/fixture-shape.ts'
