// Runs checks in a throw-away group or in a given group. Afterwards removes all that the run created, however the run ended.
import { createLab, createLabIn, type MadeLab, ruleOfLabStep } from '../lab/lab.ts'
import { createTrail } from '../lab/remove-lab.ts'
import type { Capabilities, Need } from '../model/check.ts'
import type { CheckedFailure, RuleResult } from '../model/result.ts'
import type { Part } from '../model/steps.ts'
import { MISSING } from './capabilities.ts'
import { carryOut } from './carry-out.ts'
import { ConformanceError } from './conformance-error.ts'
import type { Wire } from './wire.ts'

interface LabWires {
  /** Refuses requests after the run was stopped. */
  readonly wire: Wire
  /** Still sends requests after the run was stopped, so that the group can be removed. */
  readonly removal: Wire
}

/** @param missing the reason for a skipped check, for each capability that the run lacks */
export type RunChecks = (
  world: Partial<Capabilities>,
  wire: Wire,
  missing?: Readonly<Record<Need, string>>,
) => Promise<readonly RuleResult[]>

interface LabRun {
  readonly results: readonly RuleResult[]
  readonly left: readonly string[]
}

/** Where a run with `--write` works: in a group that it creates, or in the given group. */
export type LabPlace = 'own group' | 'given group'

/**
 * Creates the throw-away group, runs the checks in it, and removes it.
 * @throws {ConformanceError} `no_session`, `no_group`; `not_removed` after a stop
 */
export async function withLab(
  { removal, wire }: LabWires,
  found: Partial<Capabilities>,
  { place, prefix }: { readonly place: LabPlace; readonly prefix: string },
  run: RunChecks,
): Promise<LabRun> {
  const steps = place === 'own group' ? ownLab(found, prefix) : givenLab(found, prefix)
  const access = {
    session: found.session,
    group: place === 'given group' ? found.group : undefined,
  }
  const trail = createTrail(wire, removal)
  try {
    const made = await carryOut(steps, trail.wire)
    if (made.kind === 'failed') {
      const missing = {
        ...MISSING,
        lab: 'the throw-away group could not be created',
        owner: 'the throw-away group could not be created',
      }
      const results = await run(found, trail.wire, missing)
      const failure = labFailure(made.failures)
      return { results: added(results, failure), left: await trail.remove(access) }
    }
    const { group, home } = made.value.lab
    const own = { group, tenant: home, serviceRoleKey: home.serviceRoleKey, ...made.value }
    const results = await run({ ...found, ...own }, trail.wire)
    return { results, left: await trail.remove(access) }
  } catch (error) {
    const left = await trail.remove(access)
    if (left.length === 0) throw error
    throw new ConformanceError(
      'not_removed',
      `The run did not end. Not removed: ${left.join('; ')}`,
    )
  }
}

function ownLab({ session }: Partial<Capabilities>, prefix: string): Part<MadeLab> {
  if (session !== undefined) return createLab(prefix, session)
  throw new ConformanceError(
    'no_session',
    '--write needs a session of the dashboard. Set TENANTRY_REMOTE_SESSION_TOKEN, or TENANTRY_DEV_EMAIL and TENANTRY_DEV_PASSWORD. For an emulator, give its --admin-token. Or name an empty group with --in-group.',
  )
}

function givenLab({ group }: Partial<Capabilities>, prefix: string): Part<MadeLab> {
  if (group !== undefined) return createLabIn(prefix, group)
  throw new ConformanceError(
    'no_group',
    '--in-group needs a group. Set --group and TENANTRY_REMOTE_GROUP_API_KEY.',
  )
}

function labFailure(failures: readonly CheckedFailure[]): RuleResult {
  const title = 'the throw-away group can be created'
  return {
    rule: ruleOfLabStep(failures[0]?.step ?? ''),
    status: 'failed',
    checks: [{ title, status: 'failed', failures }],
  }
}

/** Adds a failure to create the throw-away group to the result of the rule that the failed step belongs to. */
function added(results: readonly RuleResult[], failure: RuleResult): readonly RuleResult[] {
  if (!results.some(({ rule }) => rule === failure.rule)) return [...results, failure]
  return results.map((result) =>
    result.rule === failure.rule
      ? { ...result, status: 'failed', checks: [...failure.checks, ...result.checks] }
      : result,
  )
}
