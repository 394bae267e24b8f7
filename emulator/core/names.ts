// Branded types of names and ids, and the only functions that create them (docs/wire/platform.md#identifiers).

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/**
 * `^[a-z0-9_]{1,44}$`. A slug has at most 44 characters, so that derived identifiers fit into Postgres's 63 bytes
 * (docs/wire/platform.md#identifiers).
 */
export type Slug = Branded<'Slug'>
/** `proj_<slug>`. */
export type SchemaName = Branded<'SchemaName'>
/** A Postgres role. */
export type RoleName = Branded<'RoleName'>
/** `grp_` and 20 characters. */
export type GroupId = Branded<'GroupId'>
/** `ten_` and 20 characters. */
export type TenantId = Branded<'TenantId'>
/** UUID of the project behind a tenant or template, or of a plain project. */
export type ProjectId = Branded<'ProjectId'>
/** UUID of a dashboard account. */
export type OwnerId = Branded<'OwnerId'>

const SLUG = /^[a-z0-9_]{1,44}$/
const SCHEMA_PREFIX = 'proj_'

/** Returns the text as a slug, or `undefined` when it is not one. `control/projects/slug.ts` also refuses reserved names. */
export function parseSlug(text: unknown): Slug | undefined {
  return typeof text === 'string' && SLUG.test(text) ? (text as Slug) : undefined
}

/** Returns the text as a schema name, or `undefined` when it is not `proj_<slug>`. */
export function parseSchemaName(text: string): SchemaName | undefined {
  if (!text.startsWith(SCHEMA_PREFIX)) return undefined
  return parseSlug(text.slice(SCHEMA_PREFIX.length)) === undefined
    ? undefined
    : (text as SchemaName)
}

export function schemaNameOf(slug: Slug): SchemaName {
  return `${SCHEMA_PREFIX}${slug}` as SchemaName
}

export function slugOf(schemaName: SchemaName): Slug {
  return schemaName.slice(SCHEMA_PREFIX.length) as Slug
}

/** Name of the role that owns the tenant's tables and runs `db/exec`: `proj_<slug>_owner`. */
export function ownerRoleOf(schemaName: SchemaName): RoleName {
  return `${schemaName}_owner` as RoleName
}

/** Name of the role under which realtime reads a changed row: `rt_proj_<slug>`. */
export function realtimeRoleOf(schemaName: SchemaName): RoleName {
  return `rt_${schemaName}` as RoleName
}

/** Brands text without checking it. Use these functions only for text from the emulator's own database or id source. */
export const trusted = {
  slug: (text: string): Slug => text as Slug,
  schemaName: (text: string): SchemaName => text as SchemaName,
  roleName: (text: string): RoleName => text as RoleName,
  groupId: (text: string): GroupId => text as GroupId,
  tenantId: (text: string): TenantId => text as TenantId,
  projectId: (text: string): ProjectId => text as ProjectId,
  ownerId: (text: string): OwnerId => text as OwnerId,
} as const

/**
 * Table inside a project's schema that records which migration steps the project has. Structure comparisons and
 * generated files leave this table out.
 */
export const LEDGER_TABLE = 'tenantry_migrations'

export function isLedger(table: string): boolean {
  return table === LEDGER_TABLE
}
