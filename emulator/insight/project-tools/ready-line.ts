// The developer's view of a running emulator: the dashboard account, and local keys for everything that it owns.
import type {
  ProjectConnection,
  ReadyGroup,
  ReadyLine,
  ReadyTenant,
  ReadyUser,
} from '../../contract/addresses.ts'
import type { Clock } from '../../core/clock.ts'
import type { Addresses } from '../../core/request-env.ts'
import type { LocalKeys } from '../../platform/credentials/local-keys.ts'
import type { KeyAddresses } from '../../platform/credentials/project-key.ts'
import type { PostgresAddress } from '../../platform/postgres-logins/postgres-urls.ts'
import type { Project } from '../../platform/projects/project.ts'
import { TENANT_CEILING } from '../../platform/projects/quotas.ts'
import type { Login } from '../../services/control/accounts/accounts.ts'
import type { Owner } from '../../services/control/accounts/owners.ts'
import type { ControlDeps } from '../../services/control/deps.ts'
import type { Group } from '../../services/control/groups/groups.ts'
import type { ControlStores } from '../../services/control/stores.ts'
import type { Tenant } from '../../services/control/tenants/tenants.ts'
import type { BucketStore } from '../../services/storage/buckets/bucket-store.ts'

/** A page size above the number of tenants in any group (docs/wire/limits.md#platform). */
const ALL_TENANTS = { limit: 2 * TENANT_CEILING, offset: 0 }

/** The parts that are needed to return a project's address and keys. */
export interface ConnectionDeps extends Pick<ControlDeps, 'credentials' | 'postgresUrl'> {
  readonly buckets: Pick<BucketStore, 'listBuckets'>
}

export interface ReadyDeps extends ConnectionDeps {
  readonly stores: ControlStores
  readonly developer: Owner
  readonly developerLogin: Login
  readonly localKeys: Pick<LocalKeys, 'groupKey' | 'managementKey'>
  readonly clock: Clock
  readonly dataDir: string | undefined
  /** Returns the addresses of the services for a caller that reached the emulator at `origin`. */
  readonly addressesAt: (origin: string) => Addresses
}

/** Returns addresses, accounts and keys, secrets included. `origin` is the address that the caller used. */
export async function readyLine(
  deps: ReadyDeps,
  origin: string,
  usersOf: (slug: string) => readonly ReadyUser[],
  postgres: PostgresAddress | undefined,
): Promise<ReadyLine> {
  const { clock, credentials, dataDir, developer, developerLogin, localKeys, stores } = deps
  const { apiKeys, projects } = stores
  const addresses = deps.addressesAt(origin)

  async function readyTenant(tenant: Tenant): Promise<ReadyTenant> {
    const project = projects.findProject(tenant.projectId)
    if (project === undefined) throw new TypeError(`tenant ${tenant.slug} has no project`)
    return {
      id: tenant.id,
      ...(await connectionOf(deps, addresses, project)),
      management_key: apiKeys.keepManagementKey(project.id, localKeys.managementKey(project.id)),
      users: usersOf(tenant.slug),
    }
  }

  const readyGroup = async ({ id, name, templateProjectId }: Group): Promise<ReadyGroup> => ({
    id,
    name,
    group_api_key: apiKeys.keepGroupKey(id, localKeys.groupKey(id)),
    template_project_id: projects.findProject(templateProjectId)?.schemaName ?? '',
    tenants: await Promise.all(
      stores.tenants.listTenants(id, ALL_TENANTS).toReversed().map(readyTenant),
    ),
  })

  return {
    auth_url: addresses.authUrl,
    data_url: addresses.dataUrl,
    storage_url: addresses.storageUrl,
    realtime_url: addresses.realtimeUrl,
    inspector_url: `${new URL(origin).origin}/_emulator/`,
    postgres_url:
      postgres === undefined ? null : `postgresql://${postgres.host}:${postgres.port}/postgres`,
    data_dir: dataDir ?? null,
    platform: {
      ...developerLogin,
      session_token: await credentials.sessionTokens.reuseSessionToken(developer, clock.now()),
    },
    groups: await Promise.all(stores.groups.listGroups(developer.id).toReversed().map(readyGroup)),
  }
}

/**
 * Returns a project's address and keys, secrets included. The keys were issued when the project was created, so each call returns
 * the same text.
 */
export async function connectionOf(
  { buckets, credentials, postgresUrl }: ConnectionDeps,
  addresses: KeyAddresses,
  project: Project,
): Promise<ProjectConnection> {
  const keys = await credentials.projectKeys.mint(project, addresses, project.createdAt)
  return {
    slug: project.slug,
    schema_name: project.schemaName,
    project_id: project.id,
    anon_key: keys.anonKey,
    service_role_key: keys.serviceRoleKey,
    buckets: buckets
      .listBuckets(project.schemaName)
      .map(({ fullName }) => fullName)
      .toSorted(),
    postgres_url: (await postgresUrl(project)) ?? null,
  }
}
