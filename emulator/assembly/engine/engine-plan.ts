// What opening an engine takes and returns, for each kind of engine.

import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { Observer } from '../../core/observation.ts'
import type { Engine } from '../../database/engine.ts'
import type { EngineStates, RestoreMark } from '../../database/engine-states.ts'
import type { EngineRehearsals } from '../../database/rehearsal.ts'
import type { ResolvedConfig } from '../config.ts'

/** Path of an image, or the demo's image if the package has one. */
export type PreparedImage = 'demo' | (string & {})

export interface EngineRuntime {
  readonly config: ResolvedConfig
  readonly dataDir: string | undefined
  readonly ids: IdSource
  readonly observe: Observer
  readonly wallClock: Clock
}

export interface EngineStart {
  readonly runtime: EngineRuntime
  /** Only the embedded engine uses the seed and the members below. A server makes its own random values. */
  readonly seed: string | undefined
  readonly baseline: string
  readonly preparedImage: PreparedImage | undefined
}

/** The engine with everything that assembly uses. */
export type OpenEngine = Engine & EngineStates & EngineRehearsals

/** Adds a step that runs at the end and closes one opened resource. */
export type OnClose = (step: () => void | Promise<void>) => void

/** The engine that will be opened. */
export interface EnginePlan {
  /** The record of an interrupted restore, which must be read before the engine starts. */
  readonly mark: RestoreMark
  /** Starts opening the engine. `opening` resolves when the engine answers. */
  start(start: EngineStart, onClose: OnClose): Promise<{ readonly opening: Promise<OpenEngine> }>
}
