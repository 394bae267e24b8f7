// The tables of the platform's database that a bundle contains, column by column. A bundle is untrusted, so it is refused when a
// row does not have exactly these columns with valid values. Rows refer only to tables that come earlier in the list. The list
// leaves out the steps that a fixture still has to undo (`fixture_steps`, `emptied_projects`), because a start carries these
// steps out. The texts of steps (`step_texts`) are also left out, because only a followed folder needs them.
import { z } from 'zod'
import { parseJson } from '../../../core/json.ts'
import { parseSchemaName, parseSlug } from '../../../core/names.ts'

const Text = z.string()
const Short = z.string().max(1_000)
const Whole = z.int()
const Flag = z.union([z.literal(0), z.literal(1)])
const Instant = z.int()
const Uuid = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
const Slug = z.string().refine((text) => parseSlug(text) !== undefined)
const SchemaName = z.string().refine((text) => parseSchemaName(text) !== undefined)
/** `grp_…`, `ten_…`, `mgk_…`: a prefix and lower-case letters and digits. */
const Id = z.string().regex(/^[\w-]{1,100}$/)
const Hash = z.string().regex(/^[\w+/=:.$,-]{1,500}$/)
/** The value is sent in a response header, so it must be valid in a header. */
const HeaderText = z.string().regex(/^(?:\t|\P{Cc}){0,20000}$/u)
const Json = z.string().refine((text) => parseJson(text) !== undefined)
/** A file name without a folder. */
const FileName = z.string().regex(/^[^/\\\0]{1,255}$/)

/** Schemas of rows by the name of the table. Members are in the order of the columns. */
export const RECORD_TABLES: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ['owners', z.strictObject({ id: Uuid, email: Short, password_hash: Short, created_at: Instant })],
  [
    'projects',
    z.strictObject({
      seq: Whole,
      id: Uuid,
      slug: Slug,
      name: Text,
      kind: z.enum(['project', 'template', 'tenant']),
      state: z.enum(['reserved', 'active', 'deleted', 'purging', 'purged']),
      plan_tier: Short,
      key_version: Whole,
      owner_id: Uuid.nullable(),
      source_project_id: Uuid.nullable(),
      frozen_at: Instant.nullable(),
      is_usable: Flag,
      created_at: Instant,
    }),
  ],
  ['project_switches', z.strictObject({ project_id: Uuid, switch: Id })],
  [
    'groups',
    z.strictObject({
      seq: Whole,
      id: Id,
      slug: Slug,
      name: Text,
      description: Text.nullable(),
      owner_id: Uuid,
      template_project_id: Uuid,
      created_at: Instant,
    }),
  ],
  [
    'group_keys',
    z.strictObject({
      seq: Whole,
      id: Id,
      group_id: Id,
      hash: Hash,
      shown_prefix: Short,
      label: Text.nullable(),
      created_at: Instant,
    }),
  ],
  [
    'tenants',
    z.strictObject({
      seq: Whole,
      id: Id,
      project_id: Uuid,
      group_id: Id,
      template_project_id: Uuid,
      external_id: Text.nullable(),
      metadata: Json,
      created_at: Instant,
    }),
  ],
  [
    'management_keys',
    z.strictObject({
      seq: Whole,
      id: Id,
      project_id: Uuid,
      hash: Hash,
      shown_prefix: Short,
      label: Text.nullable(),
      expires_at: Instant.nullable(),
      created_at: Instant,
    }),
  ],
  [
    'key_material',
    z.strictObject({
      only_row: z.literal(1),
      es256: z.string().max(10_000),
      ed25519: z.string().max(10_000),
      storage_secret: Short,
      realtime_secret: Short,
      local_secret: Short,
    }),
  ],
  [
    'buckets',
    z.strictObject({
      id: Short,
      schema_name: SchemaName,
      is_public: Flag,
      file_size_limit: Whole.nullable(),
      created_at: Instant,
      updated_at: Instant,
      owner_id: Short.nullable(),
      allowed_mime_types: Json.nullable(),
    }),
  ],
  [
    'objects',
    z.strictObject({
      id: Uuid,
      bucket_id: Short,
      object_key: Text,
      version: Uuid,
      owner_id: Short.nullable(),
      size_bytes: Whole.min(0),
      etag: HeaderText,
      mime_type: HeaderText,
      cache_control: HeaderText,
      user_metadata: Json.nullable(),
      created_at: Instant,
      updated_at: Instant,
      last_accessed_at: Instant,
      robots_tag: HeaderText.nullable(),
    }),
  ],
  [
    'resumable_uploads',
    z.strictObject({
      version: Uuid,
      bucket_id: Short,
      object_key: Text,
      owner_id: Short.nullable(),
      may_replace: Flag,
      length_bytes: Whole.min(0).nullable(),
      offset_bytes: Whole.min(0),
      metadata: Json,
      is_finished: Flag,
      expires_at: Instant,
    }),
  ],
  [
    's3_keys',
    z.strictObject({
      access_key_id: Id,
      secret: Short,
      schema_name: SchemaName,
      created_at: Instant,
    }),
  ],
  [
    's3_uploads',
    z.strictObject({
      id: Short,
      bucket_id: Short,
      object_key: Text,
      owner_id: Short,
      mime_type: HeaderText,
      cache_control: HeaderText,
      user_metadata: Json.nullable(),
      created_at: Instant,
    }),
  ],
  [
    's3_parts',
    z.strictObject({
      upload_id: Short,
      part_number: Whole,
      file_id: Uuid,
      size_bytes: Whole.min(0),
      md5: Hash,
      created_at: Instant,
    }),
  ],
  [
    'messages',
    z.strictObject({
      id: Whole,
      schema_name: SchemaName,
      channel: z.enum(['email', 'whatsapp', 'sms']),
      recipient: Text,
      recipient_key: Text,
      purpose: z.enum(['confirmation', 'one_time_code', 'magic_link', 'password_reset']),
      subject: Text.nullable(),
      text: Text,
      html: Text.nullable(),
      code: Text.nullable(),
      link: Text.nullable(),
      sent_at: Instant,
      is_read: Flag,
    }),
  ],
  ['auth_settings', z.strictObject({ project_id: Uuid, own_settings: Json })],
  [
    'departed_users',
    z.strictObject({
      schema_name: SchemaName,
      user_id: Short,
      banned_until: Instant.nullable(),
    }),
  ],
  ['applied_fixtures', z.strictObject({ name: Text, applied_at: Instant })],
  [
    'seeded_tables',
    z.strictObject({ fixture: Text, project_id: Uuid, table_name: Text, rows: Text }),
  ],
  ['given_steps', z.strictObject({ group_id: Id, digest: Text, given_at: Instant })],
  [
    'group_steps',
    z.strictObject({
      group_id: Id,
      version: Id,
      file: FileName,
      checksum: Hash,
      sql: Text,
    }),
  ],
  [
    'template_bases',
    z.strictObject({
      source_id: Uuid,
      number: Whole,
      version: Slug,
      after: Short,
      sql: Text,
    }),
  ],
])

/** Tables whose identifiers are never reused: the largest identifier so far stays stored after its row was deleted. */
const COUNTED_TABLES = [
  'projects',
  'groups',
  'group_keys',
  'tenants',
  'management_keys',
  'messages',
] as const

/** A row: its values by column name. */
export type Row = Readonly<Record<string, string | number | null>>

/** The content of `records.json`. */
export interface BundledRecords {
  /** The largest identifier so far, by table. */
  readonly counters: Readonly<Record<string, number>>
  /** A missing table counts as empty. */
  readonly tables: Readonly<Record<string, readonly Row[]>>
}

const tables = [...RECORD_TABLES].map(
  ([name, row]) => [name, z.exactOptional(z.array(row as unknown as z.ZodType<Row>))] as const,
)

export const BundledRecords: z.ZodType<BundledRecords> = z.strictObject({
  counters: z.strictObject(
    Object.fromEntries(COUNTED_TABLES.map((name) => [name, z.exactOptional(Whole.min(0))])),
  ),
  tables: z.strictObject(Object.fromEntries(tables)),
})
