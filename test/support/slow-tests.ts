// Prints the slowest test files after a run (vitest.config.ts), so that a slow test is noticed by the change that adds it.
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10
/** Milliseconds. Faster files are not worth a line. */
const NOTICED_FROM = 3_000

export class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = slowestFiles(
      modules.map((module) => {
        const { collectDuration, duration, environmentSetupDuration } = module.diagnostic()
        return {
          file: module.relativeModuleId,
          project: module.project.name,
          millis: collectDuration + duration + environmentSetupDuration,
        }
      }),
    )
    if (lines.length > 0) console.log(`\nSlowest test files\n${lines.join('\n')}\n`)
  }
}

export interface FileDuration {
  readonly file: string
  readonly project: string
  /** Import and tests, without waiting for a worker. */
  readonly millis: number
}

/** At most ten lines, slowest first: seconds, project, file. */
export function slowestFiles(files: readonly FileDuration[]): readonly string[] {
  return files
    .filter(({ millis }) => millis >= NOTICED_FROM)
    .sort((a, b) => b.millis - a.millis)
    .slice(0, SHOWN)
    .map(
      ({ file, project, millis }) =>
        `${(millis / 1_000).toFixed(1).padStart(7)} s  ${project.padEnd(10)}  ${file}`,
    )
}
