// Reads everything of a project that runs elsewhere that an application folder needs. Sends reading requests only. The command
// `tenantry pull` writes the result into a folder.
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type SchemaName, slugOf } from '../../core/names.ts'
import type { PlatformClient } from '../remote/platform-client.ts'
import type { RowsWish } from './plan-rows.ts'
import { planRows } from './plan-rows.ts'
import { type PulledGroup, readGroup } from './read-group.ts'
import { readKeys } from './read-keys.ts'
import { type PulledRows, readRows } from './read-rows.ts'
import { readStructure } from './read-structure.ts'
import { renderStep } from './render-step.ts'

export interface PullWish {
  /** Slug, `proj_<slug>` or id of the project. */
  readonly project: string
  /** Absent: no tenants are read. */
  readonly group?: string | undefined
  readonly rows: RowsWish
}

export interface PulledBucket {
  readonly name: string
  readonly public?: boolean
  readonly file_size_limit?: number
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
  readonly rows: readonly PulledRows[]
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
  const plans = planRows(structure, keys, wish.rows)
  const rows = await readRows(exec, schemaName, plans, wish.rows.limit)
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
    rows,
    notes: [
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

/** Returns the reference of a project for the platform's routes. @param project slug, `proj_<slug>` or id */
export function projectRef(project: string): string {
  const isSlug = /^[a-z0-9_]{1,44}$/.test(project) && !project.startsWith('proj_')
  return isSlug ? `proj_${project}` : project
}

function bucketOf(bucket: JsonObject, schemaName: SchemaName): PulledBucket {
  const { file_size_limit: limit, name } = isJsonObject(bucket) ? bucket : {}
  const full = String(name)
  return {
    name: full.startsWith(`${schemaName}_`) ? full.slice(schemaName.length + 1) : full,
    ...(bucket['public'] === true ? { public: true } : {}),
    ...(typeof limit === 'number' && limit > 0 ? { file_size_limit: limit } : {}),
  }
}
