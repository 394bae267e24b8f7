// The record of a rollout, `rollouts/<host>_<group>.json` in the data directory: what was applied where. A second run of the same
// steps reads which version was published. The ledgers, not this file, decide which steps still have to run.
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { MigrationResult } from '../../../contract/migrations.ts'
import { makeFolder } from '../../../core/make-folder.ts'
import { readOwnFile } from '../../../core/own-file.ts'
import { checksumOf, type Step } from '../../../workflow/migrations/steps/step.ts'

export interface Rollout {
  /** Address of the platform or emulator. */
  readonly target: string
  readonly group: string
  /** Checksum over all steps. */
  readonly steps: string
  readonly template: MigrationResult | null
  /** Slug of the version that was published with these steps. */
  readonly published: string | null
  readonly tenants: Readonly<Record<string, MigrationResult>>
}

const RolloutShape: z.ZodType<Rollout> = z.object({
  target: z.string(),
  group: z.string(),
  steps: z.string(),
  template: MigrationResult.nullable(),
  published: z.string().nullable(),
  tenants: z.record(z.string(), MigrationResult),
})

export interface RolloutFile {
  readonly path: string
  /** The record of an earlier run with the same steps, or a new one. */
  readonly rollout: Rollout
  /** Number of tenants that an earlier run finished. */
  readonly finishedBefore: number
  change(changes: Partial<Rollout>): void
}

const HINT =
  'Correct the file, or remove it to begin a new record. The ledgers of the projects still say which steps ran.'

/** @throws {UnusableFile} for a record that cannot be read, which is left as it is */
export function openRollout(
  dataDir: string,
  {
    group,
    steps,
    target,
  }: { readonly target: string; readonly group: string; readonly steps: readonly Step[] },
): RolloutFile {
  const name = `${new URL(target).host}_${group}`.replace(/[^A-Za-z0-9._-]+/g, '_')
  const path = join(dataDir, 'rollouts', `${name}.json`)
  const key = checksumOf(steps.map(({ checksum, version }) => `${version} ${checksum}\n`).join(''))
  const earlier = readOwnFile(path, RolloutShape, HINT)
  const isSame = earlier?.steps === key && earlier.group === group
  let rollout: Rollout = isSame
    ? earlier
    : { target, group, steps: key, template: null, published: null, tenants: {} }
  const finishedBefore = Object.values(rollout.tenants).filter(
    ({ ok, pending, skipped }) => ok && skipped === null && pending.length === 0,
  ).length
  return {
    path,
    get rollout() {
      return rollout
    },
    finishedBefore,
    change: (changes) => {
      rollout = { ...rollout, ...changes }
      makeFolder(dirname(path))
      writeFileSync(`${path}.draft`, `${JSON.stringify(rollout, undefined, 2)}\n`)
      renameSync(`${path}.draft`, path)
    },
  }
}
