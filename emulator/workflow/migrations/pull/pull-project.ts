// Reads what an application folder needs from a project that runs elsewhere. Sends only requests that read. The command
// `tenantry pull` writes the result into a folder.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { type SchemaName, slugOf } from '../../../core/names.ts'
import { listTenants } from '../remote/list-tenants.ts'
import type { PlatformClient } from '../remote/platform-client.ts'
import { planRows, type RowsWish } from './plan-rows.ts'
import { PullError } from './pull-error.ts'
import { readKeys } from './read-keys.ts'
import { type PulledRows, readRows } from './read-rows.ts'
import { readStructure } from './read-structure.ts'
import { type PulledUser, readUsers, USERS, usersIn } from './read-users.ts'
import { renderStep } from './render-step.ts'

export interface PullWish {
  /** Slug, `proj_<slug>` or id of the project. */
  readonly project: string
  /** Without a group, no tenants are read. */
  readonly group?: string | undefined
  readonly rows: RowsWish
  /** `masked` reads the users that rows refer to, without their addresses. */
  readonly users: 'none' | 'masked'
}

export interface PulledBucket {
  readonly name: string
  readonly public?: boolean
  readonly file_size_limit?: number
  readonly allowed_mime_types?: readonly string[]
}

export interface PulledProject {
  readonly slug: string
  /** Text of the step that creates the structure. */
  readonly step: string
  readonly tables: number
  readonly group: PulledGroup | undefined
  /** Whether the project already has a ledger of migration steps. The pulled step cannot be recorded in such a project. */
  readonly hasLedger: boolean
  readonly buckets: readonly PulledBucket[]
  /** Only tables with rows. */
  readonly rows: readonly PulledRows[]
  readonly users: readonly PulledUser[]
  /** Sentences about what the folder does not contain. */
  readonly notes: readonly string[]
}

/** @throws {RemoteError | PullError} */
export async function pullProject(client: PlatformClient, wish: PullWish): Promise<PulledProject> {
  const ref = projectRef(wish.project)
  const exec = (sql: string) => client.exec(ref, sql)
  const { hasLedger, structure } = await readStructure(exec)
  const { schemaName } = structure
  const slug = slugOf(schemaName)
  const keys = wish.rows.tables.length === 0 ? [] : await readKeys(exec, schemaName)
  const complete = new Set(wish.users === 'masked' ? [USERS] : [])
  const plans = planRows(structure, keys, { ...wish.rows, complete })
  const rows = await readRows(exec, schemaName, plans, wish.rows.limit)
  const ids = wish.users === 'masked' ? usersIn(rows, keys) : []
  const { isReadable, users } = await readUsers(exec, schemaName, ids)
  const group = wish.group === undefined ? undefined : await readGroup(client, wish.group, slug)
  const buckets = await client.buckets(ref)
  const cleared = plans.flatMap(({ cleared: columns, table }) =>
    [...columns].map((column) => `${table.name}.${column}`),
  )
  const forced = plans.filter(({ table }) => table.forcedRowSecurity).map(({ table }) => table.name)
  return {
    slug,
    step: renderStep({
      structure,
      title: `The structure of the project ${slug} at ${client.origin}.`,
    }),
    tables: structure.relations.filter(({ kind }) => kind === 'table' || kind === 'partitioned')
      .length,
    group,
    hasLedger,
    buckets: buckets.map((bucket) => bucketOf(bucket, schemaName)),
    rows: rows.filter((one) => one.rows.length > 0),
    users,
    notes: [
      ...emptyNotes(rows),
      ...userNotes(users, isReadable),
      ...mimeNotes(buckets),
      ...(structure.schemaComment === undefined
        ? []
        : ['The comment on the schema was left out, because a step names no schema.']),
      ...(cleared.length === 0
        ? []
        : [`${cleared.join(', ')} became NULL, because the rows they refer to were not read.`]),
      ...(forced.length === 0
        ? []
        : [
            `Row-level security is forced on ${forced.join(', ')}, so its policies decided which rows the owner read.`,
          ]),
      ...(hasLedger
        ? [
            'The project records migration steps of its own. The pulled step contains them all and is not recorded there.',
          ]
        : []),
    ],
  }
}

function emptyNotes(rows: readonly PulledRows[]): readonly string[] {
  const empty = rows.filter((one) => one.rows.length === 0).map(({ table }) => table)
  return empty.length === 0 ? [] : [`No rows were read of ${empty.join(', ')}.`]
}

function userNotes({ length }: readonly PulledUser[], isReadable: boolean): readonly string[] {
  if (length === 0) return []
  const who = length === 1 ? '1 user' : `${length} users`
  return [
    isReadable
      ? `Rows refer to ${who}, who came with ids, metadata and made-up addresses. --users none leaves users out.`
      : `Rows refer to ${who}, who came with ids and made-up addresses only, because the project does not let its owner read users.`,
  ]
}

// The platform's list of buckets may leave out `allowed_mime_types` (docs/wire/platform.md#buckets).
function mimeNotes(buckets: readonly JsonObject[]): readonly string[] {
  const unknown = buckets.filter((bucket) => bucket['allowed_mime_types'] === undefined)
  if (unknown.length === 0) return []
  const names = unknown.map(({ name }) => String(name)).join(', ')
  return [
    `The platform does not list the MIME types that these buckets accept: ${names}. Add allowed_mime_types in fixture.yaml where they are limited.`,
  ]
}

/** Returns the reference of a project for the platform's routes. @param project slug, `proj_<slug>` or id */
export function projectRef(project: string): string {
  const isSlug = /^[a-z0-9_]{1,44}$/.test(project) && !project.startsWith('proj_')
  return isSlug ? `proj_${project}` : project
}

function bucketOf(bucket: JsonObject, schemaName: SchemaName): PulledBucket {
  const { allowed_mime_types: types, file_size_limit: limit, name } = bucket
  const full = String(name)
  return {
    name: full.startsWith(`${schemaName}_`) ? full.slice(schemaName.length + 1) : full,
    ...(bucket['public'] === true ? { public: true } : {}),
    ...(typeof limit === 'number' && limit > 0 ? { file_size_limit: limit } : {}),
    ...(Array.isArray(types) ? { allowed_mime_types: types.map(String) } : {}),
  }
}

// Reads a group and its tenants, with a Group API Key.

interface PulledTenant {
  readonly slug: string
  readonly external_id?: string
  readonly metadata?: JsonObject
}

interface PulledGroup {
  readonly name: string
  /** Oldest first. */
  readonly tenants: readonly PulledTenant[]
}

/** Number of tenants whose details are read at the same time. */
const AT_ONCE = 8

/** @param slug slug of the project that is pulled @throws {PullError} `wrong_group` @throws {RemoteError} */
async function readGroup(
  client: PlatformClient,
  group: string,
  slug: string,
): Promise<PulledGroup> {
  // Reads the list first, because it needs the Group API Key. A missing key is therefore reported before any other error.
  const listed = await listTenants(client, group)
  const overview = await client.group(group)
  const slugs = [slugIn(overview['source']), slugIn(overview['template'])].filter(
    (found) => found !== '',
  )
  if (slugs.length > 0 && !slugs.includes(slug))
    throw new PullError(
      'wrong_group',
      `The project ${slug} is not the template of the group ${group}, whose template is ${slugs[0]}.`,
      {
        hint: 'Check --project and --group.',
      },
    )
  const { name } = isJsonObject(overview['group']) ? overview['group'] : {}
  return {
    name: typeof name === 'string' ? name : group,
    tenants: await readDetails(client, group, listed),
  }
}

function slugIn(value: JsonValue | undefined): string {
  return isJsonObject(value) && typeof value['slug'] === 'string' ? value['slug'] : ''
}

async function readDetails(
  client: PlatformClient,
  group: string,
  listed: readonly JsonObject[],
): Promise<readonly PulledTenant[]> {
  const read: PulledTenant[] = []
  for (let start = 0; start < listed.length; start += AT_ONCE) {
    const some = listed.slice(start, start + AT_ONCE)
    const details = await Promise.all(some.map(({ id }) => client.tenant(group, String(id))))
    read.push(...some.map((tenant, index) => tenantOf({ ...tenant, ...details[index] })))
  }
  return read
}

function tenantOf({ external_id, metadata, slug }: JsonObject): PulledTenant {
  return {
    slug: String(slug),
    ...(typeof external_id === 'string' ? { external_id } : {}),
    ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}
