// Reads everything of a project that runs elsewhere that an application folder needs. Sends reading requests only. The command
// `tenantry pull` writes the result into a folder.
import type { JsonObject } from '../../../core/json.ts'
import { type SchemaName, slugOf } from '../../../core/names.ts'
import type { PlatformClient } from '../remote/platform-client.ts'
import type { RowsWish } from './plan-rows.ts'
import { planRows } from './plan-rows.ts'
import { type PulledGroup, readGroup } from './read-group.ts'
import { readKeys } from './read-keys.ts'
import { type PulledRows, readRows } from './read-rows.ts'
import { readStructure } from './read-structure.ts'
import { type PulledUser, readUsers, USERS, usersIn } from './read-users.ts'
import { renderStep } from './render-step.ts'

export interface PullWish {
  /** Slug, `proj_<slug>` or id of the project. */
  readonly project: string
  /** Absent: no tenants are read. */
  readonly group?: string | undefined
  readonly rows: RowsWish
  /** `masked`: the users that rows refer to are read. */
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
  /** Whether the project records migration steps, so that the pulled step cannot be recorded there. */
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

// The platform's list of buckets may leave the member out (docs/wire/platform.md#buckets).
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
