// What a check of `tenantry doctor` found. Pure.
import { EmulatorError } from '../../../core/errors.ts'

type Check =
  | 'node'
  | 'package'
  | 'native_parts'
  | 'engine'
  | 'server'
  | 'application'
  | 'data_dir'
  | 'disk'
  | 'http_port'
  | 'postgres_port'
  | 'cache'
  | 'environment'
  | 'browser'

/** The checks, in the order of the screen, with their labels. */
export const CHECKS: Readonly<Record<Check, string>> = {
  node: 'Node',
  package: 'Package',
  native_parts: 'Native parts',
  engine: 'Engine',
  server: 'Server',
  application: 'Application',
  data_dir: 'Data folder',
  disk: 'Disk',
  http_port: 'HTTP port',
  postgres_port: 'Postgres port',
  cache: 'Cache',
  environment: 'Environment',
  browser: 'Browser',
}

/** `note`: the emulator works, with a restriction. `problem`: a start or a command fails. */
type FindingState = 'ok' | 'note' | 'problem'

export interface Finding {
  readonly check: Check
  readonly state: FindingState
  /** What was found, in one sentence or as a short fact. */
  readonly found: string
  /** How to repair it; `null` when there is nothing to repair. */
  readonly repair: string | null
}

export function healthy(check: Check, found: string): Finding {
  return { check, state: 'ok', found, repair: null }
}

export function note(check: Check, found: string, repair: string): Finding {
  return { check, state: 'note', found, repair }
}

export function problem(check: Check, found: string, repair: string): Finding {
  return { check, state: 'problem', found, repair }
}

/** Describes an error that a start would end with. @param repair for errors without a hint of their own */
export function problemOf(check: Check, error: unknown, repair: string): Finding {
  const hint = error instanceof EmulatorError ? error.hint : undefined
  return problem(check, reasonOf(error), hint ?? repair)
}

/** Returns the first line of an error's message. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
