// Runs the checks of all rules against a target (docs/guide/conformance.md). Called by the command line.
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { IdSource } from '../../core/id-source.ts'
import { createMasker } from '../../traffic/masking/mask-text.ts'
import type { PlaneBases } from '../../traffic/planes.ts'
import { createLab, ruleOfLabStep } from '../lab/lab.ts'
import { createTrail } from '../lab/remove-lab.ts'
import type { Capabilities, Check, Rule } from '../model/check.ts'
import type {
  CheckedFailure,
  CheckResult,
  ConformanceResult,
  RuleResult,
  RuleStatus,
} from '../model/result.ts'
import { RULES } from '../rules/rules.ts'
import { type GivenCredentials, MISSING, readCapabilities } from './capabilities.ts'
import { carryOut } from './carry-out.ts'
import { createWire, type Wire } from './wire.ts'

export interface ConformanceOrder {
  readonly bases: PlaneBases
  readonly credentials: GivenCredentials
  /** Creates a throw-away group, and removes it afterwards. */
  readonly write: boolean
  /** Pages and rules to check, such as `auth.md` and `auth.md#signin`; empty for all. */
  readonly only: readonly string[]
}

export interface ConformanceDeps {
  readonly wallClock: Clock
  readonly ids: IdSource
}

export class ConformanceError extends EmulatorError {
  override readonly code: 'no_platform' | 'unknown_rule' | 'no_session'

  constructor(code: ConformanceError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** @throws {ConformanceError} when nothing answers, a rule does not exist, or `write` has no session */
export async function runConformance(
  { bases, credentials, only, write }: ConformanceOrder,
  { ids, wallClock }: ConformanceDeps,
): Promise<ConformanceResult> {
  const chosen = chosenRules(only)
  const wire = createWire(bases, wallClock)
  await requirePlatform(wire, bases)
  const found = await readCapabilities(wire, credentials)
  const { failure, left, results } = write
    ? await withLab(wire, found, `conformance_${ids.id('').slice(0, 8)}`, (world, seen) =>
        checkRules(chosen, world, seen),
      )
    : { results: await checkRules(chosen, found, wire), left: [], failure: undefined }
  return resultOf(
    bases.auth,
    masked(failure === undefined ? results : added(results, failure)),
    left,
  )
}

async function requirePlatform(wire: Wire, { auth }: PlaneBases): Promise<void> {
  const { status, text } = await wire.send({
    plane: 'auth',
    method: 'GET',
    path: '/.well-known/jwks.json',
  })
  if (status === 0)
    throw new ConformanceError(
      'no_platform',
      `No platform answers at ${auth} (${text}). Set its auth address with --target.`,
    )
}

interface LabRun {
  readonly results: readonly RuleResult[]
  readonly left: readonly string[]
  readonly failure: RuleResult | undefined
}

async function withLab(
  wire: Wire,
  found: Partial<Capabilities>,
  prefix: string,
  run: (world: Partial<Capabilities>, wire: Wire) => Promise<readonly RuleResult[]>,
): Promise<LabRun> {
  const { session } = found
  if (session === undefined)
    throw new ConformanceError(
      'no_session',
      '--write needs a session of the dashboard. Set TENANTRY_REMOTE_SESSION_TOKEN, or TENANTRY_DEV_EMAIL and TENANTRY_DEV_PASSWORD.',
    )
  const trail = createTrail(wire)
  try {
    const made = await carryOut(createLab(prefix, session), trail.wire)
    if (made.kind === 'failed') {
      const results = await run(found, trail.wire)
      return { results, failure: labFailure(made.failures), left: await trail.remove(session) }
    }
    const { group, home } = made.value
    const own = { group, tenant: home, serviceRoleKey: home.serviceRoleKey, lab: made.value }
    const results = await run({ ...found, ...own }, trail.wire)
    return { results, failure: undefined, left: await trail.remove(session) }
  } catch (error) {
    await trail.remove(session)
    throw error
  }
}

function labFailure(failures: readonly CheckedFailure[]): RuleResult {
  const title = 'the throw-away group can be created'
  return {
    rule: ruleOfLabStep(failures[0]?.step ?? ''),
    status: 'failed',
    checks: [{ title, status: 'failed', failures }],
  }
}

async function checkRules(
  rules: readonly (readonly [string, Rule])[],
  world: Partial<Capabilities>,
  wire: Wire,
): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = []
  for (const [name, rule] of rules) results.push(await checkRule(name, rule, world, wire))
  return results
}

async function checkRule(
  name: string,
  rule: Rule,
  world: Partial<Capabilities>,
  wire: Wire,
): Promise<RuleResult> {
  if ('reason' in rule)
    return { rule: name, status: 'not checkable', note: rule.reason, checks: [] }
  const checks: CheckResult[] = []
  for (const each of rule.checks) checks.push(await runCheck(each, world, wire))
  return {
    rule: name,
    status: statusOf(checks),
    ...(rule.unchecked === undefined ? {} : { note: rule.unchecked }),
    checks,
  }
}

async function runCheck(
  { needs, steps, title }: Check,
  world: Partial<Capabilities>,
  wire: Wire,
): Promise<CheckResult> {
  if (!isReady(world, needs)) {
    const missing = needs.filter((need) => world[need] === undefined)
    const reason = missing.map((need) => MISSING[need]).join('; ')
    return { title, status: 'skipped', reason, failures: [] }
  }
  const carried = await carryOut(steps(world), wire)
  return carried.kind === 'done'
    ? { title, status: 'passed', failures: [] }
    : { title, status: 'failed', failures: carried.failures }
}

function isReady(world: Partial<Capabilities>, needs: Check['needs']): world is Capabilities {
  return needs.every((need) => world[need] !== undefined)
}

function statusOf(checks: readonly CheckResult[]): RuleStatus {
  if (checks.some(({ status }) => status === 'failed')) return 'failed'
  return checks.some(({ status }) => status === 'passed') ? 'passed' : 'skipped'
}

/** @throws {ConformanceError} `unknown_rule` */
function chosenRules(only: readonly string[]): readonly (readonly [string, Rule])[] {
  const all = Object.entries(RULES).flatMap(([page, rules]) =>
    Object.entries(rules).map(([anchor, rule]) => [`${page}.md#${anchor}`, rule] as const),
  )
  const isNamed = (name: string, each: string): boolean =>
    name === each || name.startsWith(`${each.replace(/\.md$/, '')}.md#`)
  const unknown = only.find((each) => !all.some(([name]) => isNamed(name, each)))
  if (unknown !== undefined)
    throw new ConformanceError(
      'unknown_rule',
      `${unknown} is neither a page nor a rule of docs/wire. Write auth.md or auth.md#signin.`,
    )
  return only.length === 0 ? all : all.filter(([name]) => only.some((each) => isNamed(name, each)))
}

/** Puts the failure of the throw-away group to the rule of the step that failed. */
function added(results: readonly RuleResult[], failure: RuleResult): readonly RuleResult[] {
  if (!results.some(({ rule }) => rule === failure.rule)) return [...results, failure]
  return results.map((result) =>
    result.rule === failure.rule
      ? { ...result, status: 'failed', checks: [...failure.checks, ...result.checks] }
      : result,
  )
}

/** Masks credentials in what the target answered, and in what was expected instead. */
function masked(results: readonly RuleResult[]): readonly RuleResult[] {
  const masker = createMasker()
  const text = (value: string): string => masker.text(value, { isSignIn: true })
  const failure = (each: CheckedFailure): CheckedFailure => ({
    step: masker.url(text(each.step), { isSignIn: true }),
    at: each.at,
    expected: text(each.expected),
    got: memberMasked(each.at, text(each.got)),
  })
  return results.map((result) => ({
    ...result,
    checks: result.checks.map((each) => ({ ...each, failures: each.failures.map(failure) })),
  }))
}

const SECRET_MEMBER = /(?:token|key|secret|password|code_verifier)$/

/** Hides a value that is a secret by the name of its member. */
function memberMasked(at: string, got: string): string {
  return SECRET_MEMBER.test(at) && got.startsWith('"') ? '(a string)' : got
}

function resultOf(
  target: string,
  rules: readonly RuleResult[],
  left: readonly string[],
): ConformanceResult {
  const count = (status: RuleStatus): number =>
    rules.filter((result) => result.status === status).length
  return {
    target,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    notCheckable: count('not checkable'),
    rules,
    left,
  }
}
