// Reads the settings of `ALTER ROLE … SET` from the catalogue, because Postgres does not apply them on SET ROLE (PostgREST,
// "Impersonated Role Settings").
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../emulator/core/json.ts'
import { cellText, type Engine } from '../../emulator/database/engine.ts'
import { script, verbatim } from '../../emulator/database/sql.ts'
import type { RoleSettings } from '../../emulator/services/data/settings.ts'
import { isolationOf } from '../../emulator/services/data/transaction-settings.ts'

// Leaves out settings that need privileges, because setting them would fail.
const QUERY = `
  select json_object_agg(rolname, settings)
  from (
    select role.rolname, json_object_agg(one.name, one.value) as settings
    from pg_roles as role
    cross join unnest(role.rolconfig) as config
    cross join lateral (
      select split_part(config, '=', 1) as name, substr(config, strpos(config, '=') + 1) as value
    ) as one
    join pg_settings as known on known.name = one.name and known.context = 'user'
    group by role.rolname
  ) as known`

/** The settings of every role with settings. @throws {SqlError} */
export async function loadRoleSettings(engine: Engine): Promise<ReadonlyMap<string, RoleSettings>> {
  const [result] = await engine.admin('cluster', script([verbatim(QUERY)]))
  const roles = parseJson(cellText(result?.rows[0]?.[0]) ?? '{}')
  if (!isJsonObject(roles)) return new Map()
  return new Map(Object.entries(roles).map(([role, given]) => [role, settingsIn(given)]))
}

function settingsIn(given: JsonValue | undefined): RoleSettings {
  const { default_transaction_isolation: isolation, ...others } = texts(given)
  return { isolation: isolationOf(isolation ?? ''), settings: others }
}

function texts(given: JsonValue | undefined): Record<string, string> {
  const record: JsonObject = isJsonObject(given) ? given : {}
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]))
}
