// The public library: exports everything that a test or another program may import.
export type { BundleConfig } from './bundle-emulator.ts'
export { BundleError } from './bundles/bundle-error.ts'
export type { EmulatorConfig } from './config.ts'
export { ConfigError } from './config.ts'
export { connectionSettings, environmentLines } from './connection-settings.ts'
export type { ReadyGroup, ReadyLine, ReadyTenant, ReadyUser } from './contract/addresses.ts'
export type { OpenedBundle } from './contract/bundles.ts'
export type { FixtureCounts, FixtureProblem, FixtureReport } from './contract/fixtures.ts'
export type {
  MigrationFailure,
  MigrationReport,
  MigrationResult,
  StepSource,
} from './contract/migrations.ts'
export { EmulatorError } from './core/errors.ts'
export type { Observation, Observer } from './core/observation.ts'
export type { PlatformClock } from './core/platform-clock.ts'
export { createEmulator, type Emulator } from './create-emulator.ts'
export { findApplicationFolder } from './fixtures/read/application-folder.ts'
export { type DefinedFixture, defineFixture } from './fixtures/read/define-fixture.ts'
export { FixtureError } from './fixtures/read/fixture-error.ts'
export type { FixtureInput } from './fixtures/read/fixture-shape.ts'
export { listenPostgresNear } from './listen-postgres.ts'
export { type BundleEmulator, openBundle } from './open-bundle.ts'
export type { ListenOptions } from './server/http.ts'
export { ListenError, type Listening } from './server/listening.ts'
export type { Actor, Identity, TenantIdentity } from './testing/actor.ts'
export type { MigrateOptions } from './testing/migrate.ts'
export { TestingError, type TestingErrorCode } from './testing/platform.ts'
export type { SqlRow, Tenant, TenantFacts, TenantUsers } from './testing/tenant.ts'
export type { TenantOptions } from './testing/tenants.ts'
export type { MessageFilter, TestMailbox, WaitOptions } from './testing/test-mailbox.ts'
