// Branded names and their only constructors (docs/wire/platform.md#identifiers).

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** `^[a-z0-9_]{1,44}$`; 44 keeps every derived identifier inside Postgres's 63 bytes (docs/wire/platform.md#identifiers). */
export type Slug = Branded<'Slug'>
/** `proj_<slug>`. */
export type SchemaName = Branded<'SchemaName'>
/** A Postgres role. */
export type RoleName = Branded<'RoleName'>
/** `grp_` and 20 characters. */
export type GroupId = Branded<'GroupId'>
/** `ten_` and 20 characters. */
export type TenantId = Branded<'TenantId'>
/** A UUID: the project behind a tenant, a template or a plain project. */
export type ProjectId = Branded<'ProjectId'>
/** A UUID: a dashboard account. */
export type OwnerId = Branded<'OwnerId'>

const SLUG = /^[a-z0-9_]{1,44}$/
const SCHEMA_PREFIX = 'proj_'

/** The text as a slug; `undefined` when it is not one. `control/slug.ts` refuses reserved names. */
export function parseSlug(text: unknown): Slug | undefined {
  return typeof text === 'string' && SLUG.test(text) ? (text as Slug) : undefined
}

/** The text as a schema name; `undefined` when it is not `proj_<slug>`. */
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

/** The role that owns the tenant's tables and runs `db/exec`: `proj_<slug>_owner`. */
export function ownerRoleOf(schemaName: SchemaName): RoleName {
  return `${schemaName}_owner` as RoleName
}

/** The role under which realtime reads a changed row: `rt_proj_<slug>`. */
export function realtimeRoleOf(schemaName: SchemaName): RoleName {
  return `rt_${schemaName}` as RoleName
}

/** Brands text from our own store or id source. */
export const trusted = {
  slug: (text: string): Slug => text as Slug,
  schemaName: (text: string): SchemaName => text as SchemaName,
  roleName: (text: string): RoleName => text as RoleName,
  groupId: (text: string): GroupId => text as GroupId,
  tenantId: (text: string): TenantId => text as TenantId,
  projectId: (text: string): ProjectId => text as ProjectId,
  ownerId: (text: string): OwnerId => text as OwnerId,
} as const
