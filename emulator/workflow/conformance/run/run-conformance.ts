// Runs the checks of all rules against a target (docs/guide/conformance.md). Called by the command line.
import { readFileSync } from 'node:fs'
import type { IdSource } from '../../../core/id-source.ts'
import { packageFile } from '../../../core/package-files.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import type { PlaneBases } from '../../traffic/planes.ts'
import type { Capabilities, Check, ErrorSection, Need, Refusal, Rule } from '../model/check.ts'
import type { CheckResult, ConformanceResult, RuleResult, RuleStatus } from '../model/result.ts'
import type { WireRequest } from '../model/steps.ts'
import { maskedResults } from '../report/mask-results.ts'
import { RULES } from '../rules/rules.ts'
import { type GivenCredentials, MISSING, readCapabilities } from './capabilities.ts'
import { carryOut } from './carry-out.ts'
import { ConformanceError } from './conformance-error.ts'
import { createWire, StoppedError, type Wire } from './wire.ts'
import { type LabPlace, type RunChecks, withLab } from './with-lab.ts'

export interface ConformanceOrder {
  readonly bases: PlaneBases
  readonly credentials: GivenCredentials
  /** Where the run may create data; `undefined` for a run that only reads. */
  readonly write: LabPlace | undefined
  /** Pages and rules to check, such as `auth.md` and `auth.md#signin`; empty for all. */
  readonly only: readonly string[]
}

export interface ConformanceDeps {
  readonly http: HttpClient
  readonly ids: IdSource
  /** Stops the run. The run still removes the throw-away group before it ends. */
  readonly stop: AbortSignal
}

/** @throws {ConformanceError} when nothing answers, a rule does not exist, there is no session, or the run was stopped */
export async function runConformance(
  { bases, credentials, only, write }: ConformanceOrder,
  { http, ids, stop }: ConformanceDeps,
): Promise<ConformanceResult> {
  const chosen = chosenRules(only)
  const { refusals, wire } = createRefusalLog(createWire(bases, http, stop))
  await requirePlatform(wire, bases)
  const page = readFileSync(packageFile('docs/wire/errors.md'), 'utf8')
  const found = {
    ...(await readCapabilities(wire, credentials)),
    ...(/^https?:\/\/api\./.test(bases.data) ? { hosts: true as const } : {}),
    refusals: { soFar: refusals, page },
  }
  const run: RunChecks = (world, through, missing = MISSING) =>
    checkRules(chosen, { world, wire: through, missing })
  try {
    const { left, results } =
      write !== undefined
        ? await withLab(
            { wire, removal: createWire(bases, http) },
            found,
            { place: write, prefix: `conformance_${ids.id('').slice(0, 8)}` },
            run,
          )
        : { results: await run(found, wire), left: [] }
    return resultOf(bases.auth, maskedResults(results), left)
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error
    throw new ConformanceError(
      'stopped',
      'The run was stopped. Everything that it created was removed.',
    )
  }
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
      `No platform answers at ${auth}. ${text} Set its auth address with --target.`,
    )
}

interface CheckRun {
  readonly world: Partial<Capabilities>
  readonly wire: Wire
  readonly missing: Readonly<Record<Need, string>>
}

async function checkRules(
  rules: readonly (readonly [string, Rule])[],
  run: CheckRun,
): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = []
  for (const [name, rule] of rules) results.push(await checkRule(name, rule, run))
  return results
}

async function checkRule(name: string, rule: Rule, run: CheckRun): Promise<RuleResult> {
  if ('reason' in rule)
    return { rule: name, status: 'not checkable', note: rule.reason, checks: [] }
  const checks: CheckResult[] = []
  for (const each of rule.checks) checks.push(await runCheck(each, run))
  return {
    rule: name,
    status: statusOf(checks),
    ...(rule.unchecked === undefined ? {} : { note: rule.unchecked }),
    checks,
  }
}

async function runCheck(
  { needs, steps, title }: Check,
  { missing, wire, world }: CheckRun,
): Promise<CheckResult> {
  if (!isReady(world, needs)) {
    const lacking = needs.filter((need) => world[need] === undefined)
    const reason = lacking.map((need) => missing[need]).join('; ')
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

// Remembers the error responses to all checks, so that the checks of docs/wire/errors.md can examine each of them.
export interface RefusalLog {
  /** Sends requests like the given wire, and remembers their error responses. */
  readonly wire: Wire
  /** In the order of the requests. */
  readonly refusals: readonly Refusal[]
}

export function createRefusalLog(wire: Wire): RefusalLog {
  const refusals: Refusal[] = []
  return {
    refusals,
    wire: {
      ...wire,
      send: async (request) => {
        const reply = await wire.send(request)
        const section = sectionOf(request)
        if (reply.status >= 400 && section !== undefined)
          refusals.push({ section, request: `${request.method} ${request.path}`, reply })
        return reply
      },
    },
  }
}

/** Returns the section of errors.md that describes the error bodies of a request; `undefined` when no section does. */
function sectionOf({ method, path, plane }: WireRequest): ErrorSection | undefined {
  if (method === 'HEAD' || path.startsWith('/_emulator/')) return undefined
  switch (plane) {
    case 'auth':
      return path.startsWith('/auth/v1/') ? 'auth' : 'management'
    case 'storage':
      // S3 and TUS define error bodies of their own.
      return /^\/(s3|upload\/resumable)\b/.test(path) ? undefined : 'storage'
    case 'data':
    case 'realtime':
      return plane
    default:
      return plane satisfies never
  }
}
