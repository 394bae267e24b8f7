// Rehearses the pending steps of one tenant. Runs the steps like `migrate apply`, in a transaction that is rolled back. Compares
// the rows that identities see before and after the steps.
import type { SchemaName } from '../../../core/names.ts'
import { attempt, SqlError } from '../../../database/engine.ts'
import type { EngineRehearsals, RehearsalResult } from '../../../database/rehearsal.ts'
import type { TenantScript } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { affectedPairs, rowsChanged } from '../../../insight/visibility/affected.ts'
import { readStates } from '../../../insight/visibility/read-states.ts'
import {
  ownerQuestion,
  quickRehearsal,
  type RehearseScripts,
  scriptRehearsal,
  tryScripts,
} from '../../../insight/visibility/rehearse-scripts.ts'
import { countsQuery, type SchemaState } from '../../../insight/visibility/relations.ts'
import {
  findVisibility,
  type RehearsalIdentity,
  type VisibilityChange,
} from '../../../insight/visibility/visibility.ts'
import type { Exec } from '../apply/fleet.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Loss } from '../redo/losses.ts'
import { compareSteps, conflictOf, pendingSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { locateError, type StepScript, type StepScripts, stepScripts } from './step-scripts.ts'
import { findUnkeptLosses } from './unkept-losses.ts'

export interface TenantToRehearse {
  readonly schemaName: SchemaName
  /** Runs SQL as the owner. The rehearsal uses it to read the ledger. */
  readonly exec: Exec
  /** Chooses the identities whose rows are compared. */
  readonly identities: () => Promise<readonly RehearsalIdentity[]>
}

export interface RehearsalDeps {
  readonly engine: EngineRehearsals
  readonly parser: SqlParser
  readonly signal: AbortSignal
  /** Index of the first script whose losses are found. Without this index, no losses are found. */
  readonly watchesFrom?: number
  /** Whether rows that the ledger keeps for an undo by `tenantry dev` also count as lost. */
  readonly watchesKept?: boolean
}

export interface TenantRehearsal {
  /** False when `migrate apply` would fail. */
  readonly ok: boolean
  /** Versions of the pending steps. */
  readonly pending: readonly string[]
  readonly problem: StepFailure | undefined
  /** Rows that the steps insert, update and delete. */
  readonly rowsChanged: number
  /** Wall-clock milliseconds of the steps inside the engine. */
  readonly durationMillis: number
  /** Wall-clock milliseconds of the longest job. Other requests waited at most this long at a time. */
  readonly longestJobMillis: number
  readonly visibility: readonly VisibilityChange[]
  /** Rows and values that the steps lose permanently. */
  readonly losses: readonly Loss[]
  /** What was not rehearsed or not compared, and why. */
  readonly notes: readonly string[]
}

const NOTHING: TenantRehearsal = {
  ok: true,
  pending: [],
  problem: undefined,
  rowsChanged: 0,
  durationMillis: 0,
  longestJobMillis: 0,
  visibility: [],
  losses: [],
  notes: [],
}
/** SQLSTATE of using an enum's value in the transaction that added it. */
const UNSAFE_ENUM_VALUE = '55P04'

/** @throws {SqlError} when the engine did not begin the work; {FleetFailure} when the call that reads the ledger fails */
export async function rehearseTenant(
  deps: RehearsalDeps,
  tenant: TenantToRehearse,
  steps: readonly Step[],
): Promise<TenantRehearsal> {
  const read = await readLedger(tenant.exec)
  if (read.kind === 'failed') return failed(NOTHING, read)
  const compared = compareSteps(steps, read.ledger.applied, deps.parser)
  const waiting = pendingSteps(compared)
  const pending = waiting.map(({ version }) => version)
  const conflict = conflictOf(compared)
  if (conflict !== undefined)
    return failed({ ...NOTHING, pending }, { code: 'conflict', message: conflict })
  if (pending.length === 0) return NOTHING
  return rehearseScripts(
    deps,
    tenant,
    stepScripts(deps.parser, tenant.schemaName, waiting, read.ledger),
    pending,
  )
}

/**
 * Rehearses scripts that fit the tenant's present ledger.
 * @param pending versions of the steps
 * @throws {SqlError} when the engine did not begin the work
 */
export async function rehearseScripts(
  deps: RehearsalDeps,
  tenant: Pick<TenantToRehearse, 'identities' | 'schemaName'>,
  { problem, scripts }: StepScripts,
  pending: readonly string[],
): Promise<TenantRehearsal> {
  const found = await new Run(deps, tenant, { ...NOTHING, pending }).rehearse(scripts)
  return found.ok && problem !== undefined
    ? { ...found, ok: false, problem, visibility: [] }
    : found
}

function failed(
  rehearsal: TenantRehearsal,
  { code, message }: { readonly code: string; readonly message: string },
): TenantRehearsal {
  const nowhere = {
    step: undefined,
    statement: undefined,
    line: undefined,
    isUnauthorized: false,
  }
  return { ...rehearsal, ok: false, problem: { ...nowhere, code, message } }
}

class Run {
  readonly #deps: RehearsalDeps
  readonly #tenant: Pick<TenantToRehearse, 'identities' | 'schemaName'>
  readonly #empty: TenantRehearsal
  #longestJobMillis = 0

  constructor(
    deps: RehearsalDeps,
    tenant: Pick<TenantToRehearse, 'identities' | 'schemaName'>,
    empty: TenantRehearsal,
  ) {
    this.#deps = deps
    this.#tenant = tenant
    this.#empty = empty
  }

  async rehearse(scripts: readonly StepScript[]): Promise<TenantRehearsal> {
    if (scripts.length === 0) return this.#empty
    const trials = {
      quick: this.#rehearsalOf(scripts.map(({ withoutEntry }) => withoutEntry)),
      entries: this.#rehearsalOf(scripts.map(({ entry }) => entry)),
      complete: this.#rehearsalOf(scripts.map(({ script }) => script)),
    }
    const { schemaName } = this.#tenant
    const counts = ownerQuestion(schemaName, countsQuery(schemaName))
    const tried = await attempt(() => tryScripts(trials, { before: [counts], after: [counts] }))
    if (tried instanceof SqlError) return this.#measured(failed(this.#empty, tried))
    const failure = this.#failureOf(scripts, tried)
    if (failure !== undefined) return this.#afterFailure(scripts, failure)
    const durationMillis = durationOf(tried)
    const losses = await this.#losses(scripts)
    const rehearse = quickRehearsal(trials)
    const nothing = this.#rehearsalOf([])
    const states = await attempt(() => readStates({ rehearse, nothing }, schemaName, tried))
    if (states instanceof SqlError)
      return this.#measured({
        ...this.#empty,
        losses,
        durationMillis,
        notes: [notCompared(states)],
      })
    const { after, before } = states
    const visible = await this.#visibility(rehearse, before, after)
    return this.#measured({
      ...this.#empty,
      ...visible,
      losses,
      rowsChanged: rowsChanged(after),
      durationMillis,
    })
  }

  async #losses(scripts: readonly StepScript[]): Promise<readonly Loss[]> {
    const { parser, watchesFrom: from, watchesKept: withKept = false } = this.#deps
    if (from === undefined) return []
    return findUnkeptLosses((texts) => this.#rehearsalOf(texts), parser, {
      scripts,
      from,
      withKept,
    })
  }

  // An enum value that an earlier script adds can be used only after a commit. Applied steps commit, but a rehearsal is a single
  // transaction.
  async #afterFailure(scripts: readonly StepScript[], failure: Failure): Promise<TenantRehearsal> {
    const { duration, index, problem } = failure
    const earlier = scripts.slice(0, index)
    const isOfRehearsal =
      problem.code === UNSAFE_ENUM_VALUE && earlier.some(({ addsEnumValue }) => addsEnumValue)
    if (!isOfRehearsal || scripts[index]?.addsEnumValue === true)
      return this.#measured({ ...this.#empty, ok: false, problem, durationMillis: duration })
    const found = await this.rehearse(earlier)
    const note = `${problem.step} and later steps were not rehearsed: they use a value that an earlier step adds to an enum, which needs a committed transaction.`
    return { ...found, notes: [...found.notes, note] }
  }

  #rehearsalOf(scripts: readonly TenantScript[]): RehearseScripts {
    const { engine, signal } = this.#deps
    return scriptRehearsal(engine, this.#tenant.schemaName, scripts, {
      signal,
      onJob: (millis) => {
        this.#longestJobMillis = Math.max(this.#longestJobMillis, millis)
      },
    })
  }

  #failureOf(
    scripts: readonly StepScript[],
    { scripts: ran }: RehearsalResult,
  ): Failure | undefined {
    const index = ran.length - 1
    const [script, result] = [scripts[index], ran[index]]
    if (script === undefined || result?.error === undefined) return undefined
    const { error, results } = result
    const problem = locateError(this.#deps.parser, script, error, results.length)
    return { index, problem, duration: durationOf({ scripts: ran }) }
  }

  // An error here becomes a note, because the steps can be applied even when their effect on visible rows is unknown.
  async #visibility(
    rehearse: RehearseScripts,
    before: SchemaState,
    after: SchemaState,
  ): Promise<Pick<TenantRehearsal, 'visibility' | 'notes'>> {
    const pairs = affectedPairs(before, after)
    if (pairs.length === 0) return { visibility: [], notes: [] }
    const identities = await this.#tenant.identities()
    const found = await attempt(() => findVisibility(rehearse, pairs, identities))
    if (found instanceof SqlError) return { visibility: [], notes: [notCompared(found)] }
    return { visibility: found.changes, notes: found.notes }
  }

  #measured(rehearsal: TenantRehearsal): TenantRehearsal {
    return { ...rehearsal, longestJobMillis: this.#longestJobMillis }
  }
}

interface Failure {
  readonly index: number
  readonly problem: StepFailure
  readonly duration: number
}

function notCompared({ message }: SqlError): string {
  return `Visible rows were not compared: ${message}`
}

function durationOf({ scripts }: Pick<RehearsalResult, 'scripts'>): number {
  return scripts.reduce((sum, { durationMillis }) => sum + durationMillis, 0)
}
