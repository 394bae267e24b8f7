// Opens the records of the platform's services in one database, with the keys and the developer's account.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Situations } from '../core/situations.ts'
import {
  openSystemDb,
  requireKnownVersion,
  type SystemDb,
} from '../database/system-db/system-db.ts'
import { REGISTRY_MIGRATIONS } from '../database/system-db/system-schema.ts'
import { type IssuedTokens, noteIssuedTokens } from '../platform/credentials/issued-tokens.ts'
import { CREDENTIAL_MIGRATIONS, loadKeyMaterial } from '../platform/credentials/key-store.ts'
import { createLocalKeys, type LocalKeys } from '../platform/credentials/local-keys.ts'
import { createSigningKeys, type SigningKeys } from '../platform/credentials/signing-keys.ts'
import { createVerifier, type Verifier } from '../platform/credentials/verify.ts'
import { MESSAGE_MIGRATIONS } from '../platform/messages/message-rows.ts'
import { Lifecycle } from '../platform/projects/lifecycle.ts'
import {
  AUTH_SETTINGS_MIGRATIONS,
  createAuthSettingsStore,
  type KeptAuthSettings,
} from '../services/auth/auth-settings.ts'
import { AUTH_MIGRATIONS, openRevokedUsers } from '../services/auth/users/revoked-users.ts'
import { type Login, seedDeveloper } from '../services/control/accounts/accounts.ts'
import type { Owner } from '../services/control/accounts/owners.ts'
import { type ControlStores, createControlStores } from '../services/control/stores.ts'
import { STORAGE_MIGRATIONS } from '../services/storage/storage-schema.ts'
import {
  createFixtureStore,
  FIXTURE_MIGRATIONS,
  type FixtureStore,
} from '../workflow/fixtures/fixture-store.ts'
import { type BaseStore, createBaseStore } from '../workflow/migrations/drift/base-store.ts'
import {
  createStepStore,
  STEP_MIGRATIONS,
  type StepStore,
} from '../workflow/migrations/fleet/step-store.ts'
import { createTextStore, type TextStore } from '../workflow/migrations/redo/text-store.ts'
import type { ResolvedConfig } from './config.ts'

export interface PlatformRecords {
  readonly stores: ControlStores
  readonly authSettings: KeptAuthSettings
  readonly revokedUsers: ReturnType<typeof openRevokedUsers>
  readonly fixtures: FixtureStore
  readonly steps: StepStore
  readonly bases: BaseStore
  readonly stepTexts: TextStore
  readonly lifecycle: Lifecycle
  /** The dashboard account that exists from the start. */
  readonly developer: Owner
  readonly developerLogin: Login
  readonly issued: IssuedTokens
  readonly signingKeys: SigningKeys
  readonly localKeys: LocalKeys
  readonly verifier: Verifier
}

const PLATFORM_DB = 'platform.db'
const PLATFORM_MIGRATIONS = [
  REGISTRY_MIGRATIONS,
  CREDENTIAL_MIGRATIONS,
  STORAGE_MIGRATIONS,
  MESSAGE_MIGRATIONS,
  AUTH_SETTINGS_MIGRATIONS,
  AUTH_MIGRATIONS,
  FIXTURE_MIGRATIONS,
  STEP_MIGRATIONS,
] as const

/** Opens the platform's database with the tables of every service. Without a data directory, the database is in memory. */
export function openPlatformDb(dataDir: string | undefined): SystemDb {
  return openSystemDb({
    file: dataDir === undefined ? undefined : join(dataDir, PLATFORM_DB),
    migrations: PLATFORM_MIGRATIONS,
  })
}

/** Checks that this release can open the platform's database of a data directory. @throws {EmulatorError} */
export function requireKnownPlatformDb(dataDir: string): void {
  const file = join(dataDir, PLATFORM_DB)
  if (existsSync(file)) requireKnownVersion(file, PLATFORM_MIGRATIONS)
}

/** The count for services that do not count erased buckets and objects; only storage counts them. */
const NOTHING_COUNTED = { bucketsDeleted: 0, objectsDeleted: 0 }

/** Opens the records of all services except storage and messages. */
export async function openRecords(
  db: SystemDb,
  config: ResolvedConfig,
  source: { readonly clock: Clock; readonly ids: IdSource; readonly situations: Situations },
): Promise<PlatformRecords> {
  const { clock, ids } = source
  const stores = createControlStores(db, source)
  const authSettings = createAuthSettingsStore(db, {
    templateOf: (id) =>
      stores.tenants.findTenantOfProject(id)?.templateProjectId ??
      stores.projects.findProject(id)?.sourceProjectId,
  })
  const revokedUsers = openRevokedUsers(db, { clock })
  const fixtures = createFixtureStore(db)
  const lifecycle = new Lifecycle()
  lifecycle.listen({
    purge: (project) => {
      authSettings.erase(project.id)
      revokedUsers.erase(project.schemaName)
      fixtures.forgetSeeded(project.id)
      return Promise.resolve(NOTHING_COUNTED)
    },
  })
  const material = loadKeyMaterial(db, ids)
  const issued = noteIssuedTokens(await createSigningKeys(material))
  const { signingKeys } = issued
  const localKeys = createLocalKeys(material.localSecret)
  const { email, password = localKeys.developerPassword(email) } = config.developer
  const developerLogin = { email, password }
  const developer = await seedDeveloper({ stores, ids }, developerLogin)
  const verifier = createVerifier({
    signingKeys,
    projects: stores.projects,
    apiKeys: stores.apiKeys,
    standings: revokedUsers,
    clock,
  })
  return {
    stores,
    authSettings,
    revokedUsers,
    fixtures,
    steps: createStepStore(db, clock),
    bases: createBaseStore(db),
    stepTexts: createTextStore(db),
    lifecycle,
    developer,
    developerLogin,
    issued,
    signingKeys,
    localKeys,
    verifier,
  }
}
