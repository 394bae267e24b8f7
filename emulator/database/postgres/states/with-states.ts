// The server engine with states: projects are copied before they are written, and saved states can be opened.

import type { SchemaName } from '../../../core/names.ts'
import { delegate, type Engine } from '../../engine.ts'
import type { EngineProjects } from '../../engine-projects.ts'
import type { EngineStates } from '../../engine-states.ts'
import type { EngineRehearsals } from '../../rehearsal.ts'
import { isReadScript } from '../../sql.ts'
import type { ServerStates } from './server-states.ts'

export interface ServerEngine extends Engine, EngineStates, EngineRehearsals {
  /** Drops all projects and states. Call this method before `close`, when nothing may remain on the server. @throws {SqlError} */
  dropAll(): Promise<void>
}

/** An engine that can stop listening to its projects before it closes. */
type ListeningEngine = Engine & EngineRehearsals & { readonly changes: { close(): Promise<void> } }

export function withStates(engine: ListeningEngine, states: ServerStates): ServerEngine {
  return {
    ...delegate(engine),
    projects: writingProjects(engine.projects, states),
    run: (work) => {
      if (work.mode === 'readOnly') return engine.run(work)
      return writing(states, work.actor.schemaName, () => engine.run(work))
    },
    admin: (where, work) => {
      if (where === 'cluster' || isReadScript(work)) return engine.admin(where, work)
      return writing(states, where, () => engine.admin(where, work))
    },
    // A rehearsal counts as a write, because a sequence that it advances can stay advanced.
    rehearse: (rehearsal) =>
      writing(states, rehearsal.actor.schemaName, () => engine.rehearse(rehearsal)),
    connect: (login) => engine.connect(login),
    close: async () => {
      await states.close()
      await engine.close()
    },
    dropAll: async () => {
      // Ends the listening connections first, because the following changes need no listeners.
      await engine.changes.close()
      await states.dropAll()
      for (const schemaName of await engine.projects.list(''))
        await engine.projects.drop(schemaName)
    },
    setBaseline: () => states.setBaseline(),
    restoreBaseline: () => states.restoreBaseline(),
    save: (folder) => states.save(folder),
    load: (folder) => states.load(folder),
    retain: (folders) => states.retain(folders),
    openSaved: (folder) => states.openSaved(folder),
  }
}

function writingProjects(projects: EngineProjects, states: ServerStates): EngineProjects {
  return {
    ...projects,
    create: (schemaName, ...rest) =>
      writing(states, schemaName, () => projects.create(schemaName, ...rest)),
    rename: (source, target, ...rest) =>
      writing(states, source, async () => {
        await projects.rename(source, target, ...rest)
        await states.parkRoles(source)
      }),
    drop: (schemaName, ...rest) =>
      writing(states, schemaName, async () => {
        await projects.drop(schemaName, ...rest)
        await states.parkRoles(schemaName)
      }),
  }
}

function writing<Result>(
  states: ServerStates,
  schemaName: SchemaName,
  write: () => Promise<Result>,
): Promise<Result> {
  const copied = states.beforeWrite(schemaName)
  if (copied !== undefined) return copied.then(() => writing(states, schemaName, write))
  return write().finally(states.beginWrite(schemaName))
}
