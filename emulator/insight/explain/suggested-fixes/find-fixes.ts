// Suggests changes that reverse the verdict on one row for an identity. Measures who gains access by each change and leaves out
// changes that open more than the identity needs. Changes that open the fewest rows come first. Applies no change.

import type { SuggestedFix, SuggestedFixes } from '../../../contract/suggested-fixes.ts'
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../../database/engine.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { Cells } from '../../tables/select-rows.ts'
import { timeLeft } from '../rows/evaluate.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { readRows } from '../rows/stored-rows.ts'
import { adviceOf, type LeftOut } from './advice.ts'
import { gainsOf, type MeasuredEffect, opensToAnon, toFixEffect } from './effect.ts'
import { membershipsOf, type Proposal, searchFixes, type Target } from './fix-search.ts'
import { type EffectDeps, EffectMeter } from './measure-effect.ts'
import type { MeasuredIdentity } from './measured-identities.ts'
import {
  allowedRows,
  type Statement,
  tableVerdict,
  type World,
  withGrants,
  withNewRows,
} from './what-if.ts'

export interface FixOrder extends Statement {
  readonly schemaName: SchemaName
  readonly relation: string
  readonly identity: ResolvedIdentity
  readonly key: Cells
  /** The identities whose rows are compared. `identity` is one of them, unless policies do not apply to it. */
  readonly measured: readonly MeasuredIdentity[]
  /** Looks for fixes of these kinds only, and stops at the first. */
  readonly only?: readonly SuggestedFix['changes'][]
}

const MAX_FIXES = 8
/** Maximum number of changes whose effect is measured. */
const MAX_MEASURED = 16
const NO_FIXES: SuggestedFixes = { suggested_fixes: [], advice: null }

/** @throws {InspectorError} `not_found` for an unknown relation or row */
export async function findFixes(deps: EffectDeps, order: FixOrder): Promise<SuggestedFixes> {
  const { explain } = deps
  const facts = await explain.findTable(order.schemaName, order.relation)
  if (facts === undefined)
    throw new InspectorError('not_found', `The project has no table or view ${order.relation}.`)
  const world: World = { facts, principal: order.identity.principal }
  const granted = withGrants(world, order)
  if (granted === undefined || facts.isClosed) return NO_FIXES
  const run = new FixRun(deps, order, granted.sql)
  const verdict = tableVerdict({ ...world, facts: granted.facts }, order)
  if (verdict === 'error') return NO_FIXES
  if (verdict === 'view') {
    const title = 'Grant the missing privileges'
    if (granted.sql.length > 0)
      await run.add({ title, sql: [], changes: 'grant', world: { ...world, facts: granted.facts } })
    return { suggested_fixes: run.ranked(), advice: null }
  }
  const target = await targetOf(explain, world, order)
  const timed = { ...explain, timeLeft: timeLeft(explain.wallClock) }
  const isAllowed = await allowedRows(timed, world, order, [target.texts])
  if (isAllowed?.[0] === true) return NO_FIXES
  const search = searchFixes(timed, {
    world,
    statement: order,
    target,
    granted: { ...world, facts: granted.facts },
    needsGrant: granted.sql.length > 0,
  })
  for await (const proposal of search) {
    if (order.only?.includes(proposal.changes) === false) continue
    await run.add(proposal, target)
    if (run.isDone || timed.timeLeft() <= 0) break
  }
  const fixes = run.ranked()
  const isEnough = fixes.some(({ changes }) => /policy|grant/.test(changes))
  if (isEnough) return { suggested_fixes: fixes, advice: null }
  const unsolved = {
    world,
    label: order.identity.identity.label,
    statement: order,
    leftOut: run.leftOut,
    memberships: await membershipsOf(explain, facts),
  }
  return { suggested_fixes: fixes, advice: adviceOf(unsolved) }
}

async function targetOf(deps: ExplainDeps, world: World, order: FixOrder): Promise<Target> {
  if (order.command === 'insert') {
    const [texts] = await withNewRows(deps, world, order, [])
    return { stored: undefined, texts: texts ?? { old: undefined, fresh: undefined } }
  }
  const selection = { keys: [order.key], limit: 1, offset: 0 }
  const [stored] = (await readRows(deps.reader, world.facts, selection)).rows
  if (stored === undefined)
    throw new InspectorError('not_found', `${order.relation} has no row with this key.`)
  const [texts] = await withNewRows(deps, world, order, [stored.text])
  return { stored, texts: texts ?? { old: stored.text, fresh: undefined } }
}

/** Measures proposals and keeps the proposals that are narrow enough. */
class FixRun {
  readonly #meter: EffectMeter
  readonly #order: FixOrder
  readonly #grants: readonly string[]
  readonly #fixes: SuggestedFix[] = []
  #measured = 0
  #toAnon = 0
  #toSignedIn = 0

  constructor(deps: EffectDeps, order: FixOrder, grants: readonly string[]) {
    this.#meter = new EffectMeter(deps, order.schemaName)
    this.#order = order
    this.#grants = grants
  }

  get isDone(): boolean {
    const maxFixes = this.#order.only === undefined ? MAX_FIXES : 1
    return this.#fixes.length >= maxFixes || this.#measured >= MAX_MEASURED
  }

  get leftOut(): LeftOut {
    return { toAnon: this.#toAnon, toSignedIn: this.#toSignedIn }
  }

  /** Fixes that open the fewest rows come first. Fixes that open equally many rows keep the order in which they were found. */
  ranked(): SuggestedFix[] {
    const cells = ({ effect }: SuggestedFix): number => effect.cells ?? Number.POSITIVE_INFINITY
    return this.#fixes.toSorted((a, b) => cells(a) - cells(b))
  }

  async add(proposal: Proposal, target?: Target): Promise<void> {
    this.#measured += 1
    const { command, relation } = this.#order
    const { changes, texts, title, world } = proposal
    const isOfClaims = changes === 'claims'
    const measured = await this.#meter.measure({
      sql: [...this.#grants, ...(isOfClaims ? [] : proposal.sql)].join('\n'),
      relation,
      statement: this.#order,
      identities: isOfClaims ? withClaims(this.#order.measured, world) : this.#order.measured,
      row: texts && target && { before: target.texts, after: texts },
    })
    if (measured instanceof SqlError || !this.#isNarrow(proposal, measured)) return
    if (!this.#works(measured)) return
    const effect = toFixEffect(measured, {
      relation,
      command,
      isOfRow: target !== undefined,
      identities: this.#order.measured,
    })
    const own = effect.changes.find(
      (one) => one.audience === 'asker' && one.table === relation && one.command === command,
    )
    const isCounted = command !== 'insert' && effect.cells !== null && own !== undefined
    this.#fixes.push({
      title,
      sql: [...this.#grants, ...proposal.sql].join('\n'),
      exposes_rows: isCounted ? own.gained - 1 : null,
      changes,
      effect,
    })
  }

  /** Whether the identity really sees more rows. Also true when the rows were not compared. */
  #works({ changes, notes }: MeasuredEffect): boolean {
    const { command, identity, relation } = this.#order
    if (command !== 'select' || identity.principal.role === 'service_role' || notes.length > 0)
      return true
    return gainsOf(changes, 'asker').some(({ table }) => table === relation)
  }

  #isNarrow({ changes: kind }: Proposal, { changes }: MeasuredEffect): boolean {
    if (changes.some(({ error }) => error !== undefined)) return false
    const { role } = this.#order.identity.principal
    if (role !== 'anon' && opensToAnon(changes)) {
      this.#toAnon += 1
      return false
    }
    if (kind === 'policy' && role !== 'anon' && gainsOf(changes, 'signed_in').length > 0) {
      this.#toSignedIn += 1
      return false
    }
    return true
  }
}

function withClaims(
  identities: readonly MeasuredIdentity[],
  { principal }: World,
): readonly MeasuredIdentity[] {
  return identities.map((one) =>
    one.audience === 'asker' ? { ...one, principalAfter: principal } : one,
  )
}
