// Prints a report after a run (vitest.config.ts): the seconds of each project and the slowest files. The author of a slow test
// then notices it.
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10
/** Milliseconds. The report omits faster files. */
const NOTICED_FROM = 3_000

export class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration } = module.diagnostic()
      return {
        file: module.relativeModuleId,
        project: module.project.name,
        millis: collectDuration + duration + environmentSetupDuration,
      }
    })
    const slowest = slowestFiles(files)
    if (slowest.length > 0) console.log(`\nSlowest test files\n${slowest.join('\n')}`)
    console.log(
      `\nSeconds of each project, all workers together\n${projectSums(files).join('\n')}\n`,
    )
  }
}

export interface FileDuration {
  readonly file: string
  readonly project: string
  /** Duration of import and tests, without the wait for a worker. */
  readonly millis: number
}

/** One line for each project, slowest first: seconds, project, number of files. */
export function projectSums(files: readonly FileDuration[]): readonly string[] {
  const projects = Map.groupBy(files, ({ project }) => project)
  return [...projects]
    .map(([project, own]) => ({
      project,
      count: own.length,
      millis: own.reduce((sum, { millis }) => sum + millis, 0),
    }))
    .sort((a, b) => b.millis - a.millis)
    .map(
      ({ count, millis, project }) =>
        `${shown(millis, project)}  ${count} ${count === 1 ? 'file' : 'files'}`,
    )
}

/** At most ten lines, slowest first: seconds, project, file. */
export function slowestFiles(files: readonly FileDuration[]): readonly string[] {
  return files
    .filter(({ millis }) => millis >= NOTICED_FROM)
    .sort((a, b) => b.millis - a.millis)
    .slice(0, SHOWN)
    .map(({ file, project, millis }) => `${shown(millis, project)}  ${file}`)
}

function shown(millis: number, project: string): string {
  return `${(millis / 1_000).toFixed(1).padStart(7)} s  ${project.padEnd(12)}`
}
