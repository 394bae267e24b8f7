// Derives secrets that stay the same across restarts, although only their hashes are stored. These are the developer's
// password, Group API Keys and management keys, all derived from a secret of the data directory (docs/decisions.md, "Local
// keys").
import { createHmac } from 'node:crypto'
import { apiKeyOf, GROUP_KEY_PREFIX, MANAGEMENT_KEY_PREFIX, type MintedApiKey } from './api-key.ts'

const POSTGRES_PASSWORD_PREFIX = 'sdb_pg_'
const DEVELOPER_PASSWORD_PREFIX = 'sdb_dev_'

export interface LocalKeys {
  groupKey(groupId: string): MintedApiKey
  managementKey(projectId: string): MintedApiKey
  /** Password of the dashboard account that the emulator creates. */
  developerPassword(email: string): string
  /** Password for the Postgres port. The password changes when the project's keys are regenerated. */
  postgresPassword(projectId: string, keyVersion: number): string
}

export function createLocalKeys(localSecret: string): LocalKeys {
  const derive = (prefix: string, id: string): MintedApiKey =>
    apiKeyOf(
      prefix +
        createHmac('sha256', localSecret)
          .update(prefix + id)
          .digest('base64url'),
    )
  return {
    groupKey: (groupId) => derive(GROUP_KEY_PREFIX, groupId),
    managementKey: (projectId) => derive(MANAGEMENT_KEY_PREFIX, projectId),
    developerPassword: (email) => derive(DEVELOPER_PASSWORD_PREFIX, email).clearText,
    postgresPassword: (projectId, keyVersion) =>
      derive(POSTGRES_PASSWORD_PREFIX, `${projectId} ${keyVersion}`).clearText,
  }
}
