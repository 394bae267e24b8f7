// Reads projects with db/exec as `tenantry pull` does, but without HTTP. Runs pulled steps in new projects.

import { type SchemaName, trusted } from '../../emulator/core/names.ts'
import type { Engine } from '../../emulator/database/engine.ts'
import type { Project } from '../../emulator/platform/projects/project.ts'
import { createSqlExecutor } from '../../emulator/services/control/db-exec/execute-sql.ts'
import type { Exec } from '../../emulator/workflow/migrations/apply/fleet.ts'

export interface RemoteWorld {
  /** Creates an empty project and returns its schema. */
  newProject(name: string): Promise<SchemaName>
  /** Returns db/exec of a project. */
  execIn(schemaName: SchemaName): Exec
}

export function remoteWorld(engine: Engine): RemoteWorld {
  const executeSql = createSqlExecutor({ engine, maxResultBytes: 67_108_864 })
  return {
    newProject: async (name) => {
      const schemaName = trusted.schemaName(name)
      await engine.projects.create(schemaName)
      return schemaName
    },
    execIn: (schemaName) => async (text) => {
      // The executor uses only the schema name of a project.
      const project = { schemaName } as Project
      const outcome = await executeSql(project, text, new AbortController().signal)
      return outcome.kind === 'done'
        ? { kind: 'done', rows: outcome.rows }
        : { ...outcome, kind: 'failed' }
    },
  }
}
