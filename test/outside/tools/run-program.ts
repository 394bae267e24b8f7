// Runs a program to its end for the suite of outside tools.
import { execFile } from 'node:child_process'

/** A tool that runs longer than this counts as hanging. */
const LONGEST_MILLIS = 300_000

export interface ProgramOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Returns the output of the program. @throws with the output as the message when the exit code is not 0 */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: ProgramOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd,
      env: { ...process.env, NO_COLOR: '1', CI: '1', ...env },
      timeout: LONGEST_MILLIS,
      maxBuffer: 64 << 20,
    }
    const child = execFile(file, [...args], options, (error, out, err) => {
      const printed = `${out}${err}`
      if (error === null) resolve(printed)
      else reject(new Error(printed.trim() || error.message))
    })
    child.stdin?.end()
  })
}
