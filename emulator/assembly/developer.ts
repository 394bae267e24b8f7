// The developer's view of a running emulator: the account that exists from the start, local keys for everything it owns,
// and fixtures applied in its name.
import { createAuthTables } from '../auth/auth-tables.ts'
import { ensureUser } from '../auth/ensure-user.ts'
import type { ReadyGroup, ReadyLine, ReadyTenant, ReadyUser } from '../contract/addresses.ts'
import type { ControlDeps } from '../control/deps.ts'
import type { Group } from '../control/groups.ts'
import type { Tenant } from '../control/tenants.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import { trusted } from '../core/names.ts'
import type { Addresses } from '../core/request-env.ts'
import { hashPassword } from '../credentials/password-hash.ts'
import { changesOf } from '../inspector/auth-settings.ts'
import { applyFixture } from '../inspector/fixtures/apply-fixture.ts'
import { type Fixture, FixtureError } from '../inspector/fixtures/fixture-file.ts'
import type { EdgeFetch } from '../server/edge.ts'
import { addressesOf } from '../server/hosts.ts'
import type { Foundation } from './open-foundation.ts'
import type { PostgresAddress } from './postgres-logins.ts'

/** More than any group has (seed: Limits). */
const ALL_TENANTS = { limit: 200, offset: 0 }

/** Addresses, accounts and keys, secrets included. `origin` is where the caller reached us. */
export async function readyLine(
  foundation: Foundation,
  control: ControlDeps,
  origin: string,
  usersOf: (slug: string) => readonly ReadyUser[],
  postgres: PostgresAddress | undefined,
): Promise<ReadyLine> {
  const { config, stores, clock, developer } = foundation
  const addresses = addressesOf(config.publicUrl ?? origin)
  const session = await control.credentials.sessionTokens.mintSessionToken(developer, clock.now())
  const groups = stores.groups.listGroups(developer.id).toReversed()
  return {
    auth_url: addresses.authUrl,
    data_url: addresses.dataUrl,
    storage_url: addresses.storageUrl,
    realtime_url: addresses.realtimeUrl,
    inspector_url: `${new URL(origin).origin}/_emulator/`,
    postgres_url:
      postgres === undefined ? null : `postgresql://${postgres.host}:${postgres.port}/postgres`,
    data_dir: foundation.dataDir ?? null,
    platform: { ...config.developer, session_token: session.token },
    groups: await Promise.all(
      groups.map((group) => readyGroup(foundation, control, group, addresses, usersOf)),
    ),
  }
}

async function readyGroup(
  foundation: Foundation,
  control: ControlDeps,
  group: Group,
  addresses: Addresses,
  usersOf: (slug: string) => readonly ReadyUser[],
): Promise<ReadyGroup> {
  const { stores } = foundation
  const tenants = stores.tenants.listTenants(group.id, ALL_TENANTS).toReversed()
  return {
    id: group.id,
    name: group.name,
    group_api_key: localGroupKey(foundation, group.id),
    template_project_id: stores.projects.findProject(group.templateProjectId)?.schemaName ?? '',
    tenants: await Promise.all(
      tenants.map((tenant) => readyTenant(foundation, control, tenant, addresses, usersOf)),
    ),
  }
}

async function readyTenant(
  foundation: Foundation,
  control: ControlDeps,
  tenant: Tenant,
  addresses: Addresses,
  usersOf: (slug: string) => readonly ReadyUser[],
): Promise<ReadyTenant> {
  const { stores, localKeys, clock } = foundation
  const project = stores.projects.findProject(tenant.projectId)
  if (project === undefined) throw new TypeError(`tenant ${tenant.slug} has no project`)
  const keys = await control.credentials.projectKeys.mint(project, addresses, clock.now())
  return {
    id: tenant.id,
    slug: tenant.slug,
    schema_name: project.schemaName,
    project_id: project.id,
    anon_key: keys.anonKey,
    service_role_key: keys.serviceRoleKey,
    management_key: stores.apiKeys.keepManagementKey(
      project.id,
      localKeys.managementKey(project.id),
    ),
    postgres_url: control.postgresUrl(project) ?? null,
    users: usersOf(tenant.slug),
  }
}

function localGroupKey({ stores, localKeys }: Foundation, groupId: Group['id']): string {
  return stores.apiKeys.keepGroupKey(groupId, localKeys.groupKey(groupId))
}

/** Applies a fixture as the developer, over the platform's own routes. @throws {FixtureError} */
export async function applyAsDeveloper(
  foundation: Foundation,
  control: ControlDeps,
  fetch: EdgeFetch,
  fixture: Fixture,
): Promise<void> {
  const { stores, engine, ids, clock, developer, authSettings } = foundation
  const { token } = await control.credentials.sessionTokens.mintSessionToken(developer, clock.now())
  const tables = createAuthTables(engine)
  await applyFixture(fixture, {
    asOwner: (method, path, body) => call(fetch, token, method, path, body),
    asGroup: (groupId, method, path, body) =>
      call(fetch, localGroupKey(foundation, trusted.groupId(groupId)), method, path, body),
    setAuth: (projectId, settings) => {
      authSettings.change(trusted.projectId(projectId), changesOf(settings))
    },
    projectIdOf: (slug) => {
      const project = stores.projects.findProjectBySlug(slug)
      if (project === undefined) throw new FixtureError(`The tenant ${slug} was not made.`)
      return project.id
    },
    ensureUser: async (projectId, user) => {
      const project = stores.projects.findProject(trusted.projectId(projectId))
      if (project === undefined) throw new FixtureError(`There is no project ${projectId}.`)
      await ensureUser({ tables, ids }, project.schemaName, {
        email: user.email,
        ...(user.phone === undefined ? {} : { phone: user.phone }),
        passwordHash: await hashPassword(user.password, ids),
        userMetadata: user.data as JsonObject,
      })
    },
  })
}

async function call(
  fetch: EdgeFetch,
  credential: string,
  method: string,
  path: string,
  body: JsonObject | undefined,
): Promise<JsonValue> {
  const response = await fetch(
    new Request(new URL(path, 'http://127.0.0.1'), {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const answer = (await response.json()) as JsonValue
  if (response.ok) return answer
  throw new FixtureError(
    `${method} ${path} was refused with ${response.status}: ${JSON.stringify(answer)}.`,
  )
}
