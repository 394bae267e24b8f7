// The public library: exports everything that a test or another program may import.

export type { EmulatorConfig } from './assembly/config.ts'
export { ConfigError } from './assembly/config.ts'
export type { BundleConfig } from './assembly/library/bundle-emulator.ts'
export { connectionSettings, environmentLines } from './assembly/library/connection-settings.ts'
export { createEmulator, type Emulator } from './assembly/library/create-emulator.ts'
export { listenPostgresNear } from './assembly/library/listen-postgres.ts'
export { type BundleEmulator, openBundle } from './assembly/library/open-bundle.ts'
export type { Actor, Identity, TenantIdentity } from './assembly/testing/actor.ts'
export type { MigrateOptions } from './assembly/testing/migrate.ts'
export { TestingError, type TestingErrorCode } from './assembly/testing/platform.ts'
export type { SqlRow, Tenant, TenantFacts, TenantUsers } from './assembly/testing/tenant.ts'
export type { TenantOptions } from './assembly/testing/tenants.ts'
export type { MessageFilter, TestMailbox, WaitOptions } from './assembly/testing/test-mailbox.ts'
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
export type { ListenOptions } from './server/http.ts'
export { ListenError, type Listening } from './server/listening.ts'
export { BundleError } from './workflow/bundles/bundle-error.ts'
export { findApplicationFolder } from './workflow/fixtures/read/application-folder.ts'
export { type DefinedFixture, defineFixture } from './workflow/fixtures/read/define-fixture.ts'
export { FixtureError } from './workflow/fixtures/read/fixture-error.ts'
export type { FixtureInput } from './workflow/fixtures/read/fixture-shape.ts'
