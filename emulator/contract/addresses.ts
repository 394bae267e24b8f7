// Addresses and credentials of a running emulator: the output of `tenantry start --json` and of GET /info. The output includes
// secrets, because the emulator generated all of them.
import { z } from 'zod'
import type { Shape } from './operation.ts'

export const ReadyUser = z.object({ email: z.string(), password: z.string() })
/** E-mail address and password of a user. */
export type ReadyUser = Shape<typeof ReadyUser>

export const ProjectConnection = z.object({
  slug: z.string(),
  schema_name: z.string(),
  project_id: z.string(),
  anon_key: z.string(),
  service_role_key: z.string(),
  buckets: z.array(z.string()).describe('Full names, e.g. `proj_aurora_documents`'),
  postgres_url: z
    .string()
    .nullable()
    .describe(
      "Connection string of the project's owner, password included; `null` while no Postgres port listens",
    ),
})
export type ProjectConnection = Shape<typeof ProjectConnection>

export const ReadyTenant = ProjectConnection.extend({
  id: z.string(),
  management_key: z.string(),
  users: z.array(ReadyUser).describe('Users whose password is in a fixture'),
})
/** A tenant with its keys. Members have the names of the wire. */
export type ReadyTenant = Shape<typeof ReadyTenant>

export const ReadyGroup = z.object({
  id: z.string(),
  name: z.string(),
  group_api_key: z.string(),
  template_project_id: z.string(),
  tenants: z.array(ReadyTenant),
})
/** A group with its key and its tenants. */
export type ReadyGroup = Shape<typeof ReadyGroup>

export const ReadyLine = z.object({
  auth_url: z.string(),
  data_url: z.string(),
  storage_url: z.string(),
  realtime_url: z.string(),
  inspector_url: z.string(),
  postgres_url: z.string().nullable().describe('Without credentials'),
  data_dir: z.string().nullable(),
  platform: z.object({ email: z.string(), password: z.string(), session_token: z.string() }),
  groups: z.array(ReadyGroup),
})
/** Addresses and keys of a running emulator. `tenantry start --json` prints the same object. */
export type ReadyLine = Shape<typeof ReadyLine>
